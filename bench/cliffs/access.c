/*
 * Plain accesses: size x place x pattern x operation, private to each thread or read by all.
 *
 * Place: aligned; unaligned (one byte off, in each 8-byte granule or across two); overlapping (in
 * steps of half the size). Pattern: one word; neighbours in one granule; an array walked; an array
 * at random. A round is one access, or two for `update`.
 */
#include "cell.h"

#define ARRAY 65536 /* bytes, a power of two */

typedef uint8_t size1;
typedef uint16_t size2;
typedef uint32_t size4;
typedef uint64_t size8;
typedef uint64_t size16 __attribute__((vector_size(16)));

struct field { /* room for an unaligned access at the end */
    _Alignas(64) unsigned char bytes[ARRAY + 64];
};

static struct field own[MAX_THREADS], common;

static void prepare(int n_threads)
{
    for (int i = 0; i < n_threads; i++)
        memset(&own[i], 1, sizeof own[i]);
    memset(&common, 1, sizeof common);
}

/* The optimiser must not keep a word in a register: each address depends on the round. */
#define at_one(i, step, size) ((size_t)(i) * (step) & zero)
#define at_near(i, step, size)                                                                     \
    ((size) >= 8 ? ((size_t)(i) * (step) & (2 * (size) - 1))                                       \
                 : ((size_t)(i) * (step) & 7 & ~((step) - 1)))
#define at_walk(i, step, size) ((size_t)(i) * (step) & (ARRAY - 1))
#define at_random(i, step, size) ((((size_t)(i) * 2654435761u) >> 7) % (ARRAY / (step)) * (step))

#define do_read(type, to) sum += *(to)
#define do_write(type, to) *(to) = (type){0} + (unsigned char)i
#define do_update(type, to) *(to) += 1

#define step_aligned(size) (size)
#define step_unaligned(size) (size)
#define step_overlap(size) ((size) / 2)
#define off_aligned 0
#define off_unaligned 1
#define off_overlap 0

#define LOOP(n, place, pattern, operation, memory)                                                 \
    typedef size##n loose __attribute__((aligned(1), may_alias));                                  \
    unsigned char *base = (memory) + off_##place;                                                  \
    size_t zero = (size_t)hidden_zero();                                                           \
    (void)zero;                                                                                    \
    size##n sum = {0};                                                                             \
    SCALAR_LOOP                                                                                    \
    for (long i = 0; i < context->rounds; i++)                                                     \
        do_##operation(loose, (loose *)(base + at_##pattern(i, step_##place(n), n)));              \
    __asm__ volatile("" : : "m"(sum));

#define PRIVATE_BODY(size, place, pattern, operation)                                              \
    BODY(operation##_##size##_##place##_##pattern)                                                 \
    {                                                                                              \
        LOOP(size, place, pattern, operation, own[context->id].bytes)                              \
    }
#define SHARED_BODY(size, place, pattern, operation)                                               \
    BODY(shared_##size##_##place##_##pattern)                                                      \
    {                                                                                              \
        LOOP(size, place, pattern, operation, common.bytes)                                        \
    }

#define PATTERNS(X, size, place, operation)                                                        \
    X(size, place, one, operation)                                                                 \
    X(size, place, near, operation)                                                                \
    X(size, place, walk, operation)                                                                \
    X(size, place, random, operation)
#define MATRIX(X, operation)                                                                       \
    PATTERNS(X, 1, aligned, operation)                                                             \
    PATTERNS(X, 2, aligned, operation)                                                             \
    PATTERNS(X, 4, aligned, operation)                                                             \
    PATTERNS(X, 8, aligned, operation)                                                             \
    PATTERNS(X, 16, aligned, operation)                                                            \
    PATTERNS(X, 2, unaligned, operation)                                                           \
    PATTERNS(X, 4, unaligned, operation)                                                           \
    PATTERNS(X, 8, unaligned, operation)                                                           \
    PATTERNS(X, 16, unaligned, operation)                                                          \
    PATTERNS(X, 2, overlap, operation)                                                             \
    PATTERNS(X, 4, overlap, operation)                                                             \
    PATTERNS(X, 8, overlap, operation)                                                             \
    PATTERNS(X, 16, overlap, operation)

MATRIX(PRIVATE_BODY, read)
MATRIX(PRIVATE_BODY, write)
MATRIX(PRIVATE_BODY, update)
MATRIX(SHARED_BODY, read)

/* Written in one size, read in another. */
#define MIXED(written, seen)                                                                       \
    BODY(mixed_##written##_##seen)                                                                 \
    {                                                                                              \
        unsigned char *base = own[context->id].bytes;                                              \
        size##seen sum = 0;                                                                        \
        SCALAR_LOOP                                                                                \
        for (long i = 0; i < context->rounds; i++) {                                               \
            size_t at = at_walk(i, 8, 8);                                                          \
            *(size##written __attribute__((may_alias)) *)(base + at) = (size##written)i;           \
            sum += *(size##seen __attribute__((may_alias)) *)(base + at);                          \
        }                                                                                          \
        USE(sum);                                                                                  \
    }
MIXED(1, 8)
MIXED(4, 8)
MIXED(8, 1)
MIXED(8, 4)

/* What the optimiser makes of a walk: vectors, unrolled. */
BODY(walk_sum)
{
    const uint32_t *from = (const uint32_t *)(const void *)common.bytes;
    uint32_t sum = 0;
    for (long i = 0; i < context->rounds; i += 4096)
        for (int j = 0; j < 4096; j++)
            sum += from[j] ^ (uint32_t)i;
    USE(sum);
}

BODY(walk_fill)
{
    uint32_t *to = (uint32_t *)(void *)own[context->id].bytes;
    for (long i = 0; i < context->rounds; i += 4096)
        for (int j = 0; j < 4096; j++)
            to[j] = to[j] * 3 + (uint32_t)i;
}

/* A barrier for the compiler between accesses. */
BODY(asm_read)
{
    const uint32_t *from = (const uint32_t *)(const void *)common.bytes;
    uint32_t sum = 0;
    for (long i = 0; i < context->rounds; i++) {
        sum += from[i & 1023];
        __asm__ volatile("" : : : "memory");
    }
    USE(sum);
}

BODY(asm_write)
{
    uint32_t *to = (uint32_t *)(void *)own[context->id].bytes;
    for (long i = 0; i < context->rounds; i++) {
        to[i & 1023] = (uint32_t)i;
        __asm__ volatile("" : : : "memory");
    }
}

BODY(asm_one)
{
    uint32_t *to = (uint32_t *)(void *)own[context->id].bytes;
    for (long i = 0; i < context->rounds; i++) {
        *to += 1;
        __asm__ volatile("" : : : "memory");
    }
}

BODY(asm_only)
{
    for (long i = 0; i < context->rounds; i++)
        __asm__ volatile("" : : : "memory");
}

/* Read, then written, by its thread: structs of 3, 5 and 8 words in an array. */
#define STRUCT_BODY(words)                                                                         \
    struct of##words {                                                                             \
        uint64_t word[words];                                                                      \
    };                                                                                             \
    BODY(struct##words)                                                                            \
    {                                                                                              \
        struct of##words *array = (struct of##words *)(void *)own[context->id].bytes;              \
        for (long i = 0; i < context->rounds; i++) {                                               \
            struct of##words *at = &array[i % (ARRAY / 8 / words)];                                \
            for (int j = 0; j < words; j++)                                                        \
                at->word[j] = at->word[(j + 1) % words] + 1;                                       \
        }                                                                                          \
    }                                                                                              \
    BODY(copy##words)                                                                              \
    {                                                                                              \
        struct of##words *array = (struct of##words *)(void *)own[context->id].bytes;              \
        for (long i = 0; i < context->rounds; i++)                                                 \
            array[i % (ARRAY / 8 / words - 1) + 1] = array[i % 7];                                 \
    }
STRUCT_BODY(3)
STRUCT_BODY(5)
STRUCT_BODY(8)

#define PRIVATE_CELL(size, place, pattern, operation)                                              \
    {"private/" #operation "/" #size "/" #place "/" #pattern, 1,                                   \
     operation##_##size##_##place##_##pattern, prepare},
#define SHARED_CELL(size, place, pattern, operation)                                               \
    {"read-shared/" #size "/" #place "/" #pattern, 2, shared_##size##_##place##_##pattern, prepare},
#define THREADS(X, body)                                                                           \
    X(body, 1)                                                                                     \
    X(body, 2)                                                                                     \
    X(body, 4)                                                                                     \
    X(body, 16)
#define THREADS_CELL(body, n) {"threads/" #body "/" #n, n, body, prepare},

/* The macros bring their commas. */
/* clang-format off */
const struct cell cells[] = {
    MATRIX(PRIVATE_CELL, read)
    MATRIX(PRIVATE_CELL, write)
    MATRIX(PRIVATE_CELL, update)
    MATRIX(SHARED_CELL, read)
    THREADS(THREADS_CELL, update_1_aligned_walk)
    THREADS( THREADS_CELL, update_8_aligned_walk)
    THREADS(THREADS_CELL, update_8_aligned_random)
    THREADS(THREADS_CELL, update_4_unaligned_walk)
    THREADS( THREADS_CELL, shared_1_aligned_walk)
    THREADS(THREADS_CELL, shared_8_aligned_one)
    THREADS(THREADS_CELL, shared_8_aligned_walk)
    THREADS(THREADS_CELL, shared_8_aligned_random)
    THREADS(THREADS_CELL, shared_4_unaligned_walk)
    THREADS(THREADS_CELL, struct3)
    THREADS(THREADS_CELL, walk_sum)
    {"mixed/1/8", 1, mixed_1_8, prepare},
    {"mixed/4/8", 1, mixed_4_8, prepare},
    {"mixed/8/1", 1, mixed_8_1, prepare},
    {"mixed/8/4", 1, mixed_8_4, prepare},
    {"vector/sum/private", 1, walk_sum, prepare},
    {"vector/sum/shared", 2, walk_sum, prepare},
    {"vector/fill", 1, walk_fill, prepare},
    {"asm/read/private", 1, asm_read, prepare},
    {"asm/read/shared", 2, asm_read, prepare},
    {"asm/write", 1, asm_write, prepare},
    {"asm/one", 1, asm_one, prepare},
    {"asm/only", 1, asm_only, prepare},
    {"struct/3/fields", 1, struct3, prepare},
    {"struct/5/fields", 1, struct5, prepare},
    {"struct/8/fields", 1, struct8, prepare},
    {"struct/3/copy", 1, copy3, prepare},
    {"struct/5/copy", 1, copy5, prepare},
    {"struct/8/copy", 1, copy8, prepare},
    {NULL, 0, NULL, NULL},
};
/* clang-format on */

/* Unaligned, so that only one byte of the second access is in the first. */
TWIN(twin_writes_word)
{
    *(volatile uint64_t *)(void *)common.bytes = 1;
}

TWIN(twin_reads_word)
{
    USE(*(volatile uint64_t *)(void *)common.bytes);
}

TWIN(twin_writes_byte)
{
    *(volatile unsigned char *)&common.bytes[7] = 1;
}

TWIN(twin_reads_unaligned)
{
    typedef volatile uint32_t loose __attribute__((aligned(1)));
    USE(*(loose *)&common.bytes[7]);
}

TWIN(twin_writes_vector)
{
    *(volatile size16 *)(void *)common.bytes = (size16){1, 2};
}

TWIN(twin_walks)
{
    volatile uint32_t *words = (volatile uint32_t *)(void *)common.bytes;
    for (int i = 0; i < 1024; i++)
        words[i] = words[i] + 1;
}

const struct twin twins[] = {
    {"private", twin_writes_word, twin_writes_word},
    {"read-shared", twin_writes_word, twin_reads_word},
    {"byte-in-word", twin_writes_byte, twin_reads_word},
    {"unaligned", twin_writes_byte, twin_reads_unaligned},
    {"vector", twin_writes_vector, twin_writes_byte},
    {"walked", twin_walks, twin_walks},
    {NULL, NULL, NULL},
};
