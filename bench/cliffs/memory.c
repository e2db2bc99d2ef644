/*
 * Allocation, memory functions, stacks and recursion, strings byte by byte. A round is one call,
 * one object, or one string.
 */
#include "cell.h"
#include <alloca.h>
#include <setjmp.h>
#include <sys/mman.h>

#define BATCH 64

/* Neither the size nor the object is known to the optimiser. */
static inline size_t hidden(size_t n)
{
    __asm__ volatile("" : "+r"(n));
    return n;
}

static inline void *kept(void *object)
{
    __asm__ volatile("" : "+r"(object));
    return object;
}

/* ---- allocation ---- */

#define PAIR(bytes)                                                                                \
    BODY(pair_##bytes)                                                                             \
    {                                                                                              \
        for (long i = 0; i < context->rounds; i++) {                                               \
            char *object = (char *)kept(malloc(hidden(bytes)));                                    \
            object[0] = 1;                                                                         \
            free(kept(object));                                                                    \
        }                                                                                          \
    }
PAIR(16)
PAIR(256)
PAIR(4096)
PAIR(1000000)

#define FILL(bytes)                                                                                \
    BODY(fill_##bytes)                                                                             \
    {                                                                                              \
        for (long i = 0; i < context->rounds; i++) {                                               \
            long *object = (long *)kept(malloc(hidden(bytes)));                                    \
            for (size_t j = 0; j < (bytes) / sizeof(long); j++)                                    \
                object[j] = i;                                                                     \
            free(kept(object));                                                                    \
        }                                                                                          \
    }
FILL(64)
FILL(4096)
FILL(1000000)

#define BATCHES(name, order)                                                                       \
    BODY(name)                                                                                     \
    {                                                                                              \
        for (long i = 0; i < context->rounds; i++) {                                               \
            long *objects[BATCH];                                                                  \
            for (int j = 0; j < BATCH; j++) {                                                      \
                objects[j] = (long *)kept(malloc(hidden(16 + (size_t)(j % 8) * 24)));              \
                objects[j][0] = j;                                                                 \
            }                                                                                      \
            for (int j = 0; j < BATCH; j++)                                                        \
                free(kept(objects[order]));                                                        \
        }                                                                                          \
    }
BATCHES(batch_fifo, j)
BATCHES(batch_lifo, BATCH - 1 - j)
BATCHES(batch_mixed, j * 37 % BATCH)

BODY(zeroed)
{
    for (long i = 0; i < context->rounds; i++)
        free(kept(calloc(hidden(16), 16)));
}

BODY(grown)
{
    for (long i = 0; i < context->rounds; i++) {
        char *text = NULL;
        for (size_t n = 16; n <= 4096; n *= 2) {
            text = (char *)kept(realloc(text, hidden(n)));
            text[n - 1] = 1;
        }
        free(text);
    }
}

BODY(mapped)
{
    for (long i = 0; i < context->rounds; i++) {
        char *pages =
            (char *)mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (size_t j = 0; j < 65536; j += 64)
            pages[j] = 1;
        munmap(pages, 65536);
    }
}

/* Allocated by one thread, freed by the next. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *handed[BATCH];
BODY(freed_elsewhere)
{
    for (long i = 0; i < context->rounds; i++) {
        long *object = (long *)kept(malloc(hidden(48)));
        object[0] = object[5] = i;
        pthread_mutex_lock(&lock);
        void *old = handed[(i + context->id) % BATCH];
        handed[(i + context->id) % BATCH] = object;
        pthread_mutex_unlock(&lock);
        free(kept(old));
    }
}

/* A list built and taken down again. */
struct node {
    struct node *next;
    long value;
};

BODY(linked)
{
    for (long i = 0; i < context->rounds; i++) {
        struct node *list = NULL;
        long sum = 0;
        for (int j = 0; j < BATCH; j++) {
            struct node *node = (struct node *)kept(malloc(sizeof *node));
            node->next = list;
            node->value = j;
            list = node;
        }
        while (list) {
            struct node *next = list->next;
            sum += list->value;
            free(list);
            list = next;
        }
        USE(sum);
    }
}

/* ---- memory functions ---- */

static char source[8192], target[MAX_THREADS][8192];

static void prepare(int n_threads)
{
    memset(source, 'a', sizeof source - 1);
    for (int i = 0; i < n_threads; i++)
        memset(target[i], 'a', sizeof target[i] - 1);
}

#define do_copy(to, n) memcpy(to, source, hidden(n))
#define do_move(to, n) memmove((to) + 3, to, hidden(n))
#define do_set(to, n) memset(to, (int)i, hidden(n))
#define do_compare(to, n) USE(memcmp(to, source, hidden(n)))
#define do_find(to, n) USE(memchr(source, 'z', hidden(n)))
#define do_length(to, n) USE(strlen(source + sizeof source - 1 - hidden(n)))
#define do_string(to, n) strcpy(to, source + sizeof source - 1 - hidden(n))
#define do_order(to, n) USE(strcmp(source + sizeof source - 1 - hidden(n), to))
#define do_constant(to, n) memcpy(to, source + (i & 63), n)

#define FUNCTION_BODY(name, bytes)                                                                 \
    BODY(name##_##bytes)                                                                           \
    {                                                                                              \
        char *to = (char *)kept(target[context->id]);                                              \
        for (long i = 0; i < context->rounds; i++) {                                               \
            do_##name(to, bytes);                                                                  \
            USE(to);                                                                               \
        }                                                                                          \
    }
#define LENGTHS(X, name) X(name, 8) X(name, 64) X(name, 4096)
#define FUNCTIONS(X)                                                                               \
    LENGTHS(X, copy)                                                                               \
    LENGTHS(X, move)                                                                               \
    LENGTHS(X, set)                                                                                \
    LENGTHS(X, compare)                                                                            \
    LENGTHS(X, find)                                                                               \
    LENGTHS(X, length)                                                                             \
    LENGTHS(X, string)                                                                             \
    LENGTHS(X, order)                                                                              \
    X(constant, 8) X(constant, 16) X(constant, 48)
FUNCTIONS(FUNCTION_BODY)

/* ---- stack ---- */

static __attribute__((noinline)) long fibonacci(long n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

BODY(recursion_pure)
{
    for (long i = 0; i < context->rounds; i++)
        USE(fibonacci(12));
}

static __attribute__((noinline)) long descend(int depth, const long *above)
{
    long here[8];
    for (int i = 0; i < 8; i++)
        here[i] = above[i] + depth;
    kept(here);
    return depth ? descend(depth - 1, here) + here[depth % 8] : here[0];
}

BODY(recursion_arrays)
{
    long top[8] = {0};
    for (long i = 0; i < context->rounds; i++)
        USE(descend(30, top));
}

BODY(recursion_deep)
{
    long top[8] = {0};
    for (long i = 0; i < context->rounds; i++)
        USE(descend(2000, top));
}

static __attribute__((noinline)) void leaf(long *counter)
{
    *counter += 1;
}

BODY(calls_leaf)
{
    long counter = 0;
    for (long i = 0; i < context->rounds; i++)
        leaf((long *)kept(&counter));
}

BODY(calls_pointer)
{
    void (*call)(long *) = (void (*)(long *))(uintptr_t)hidden((size_t)(uintptr_t)leaf);
    long counter = 0;
    for (long i = 0; i < context->rounds; i++)
        call(&counter);
    USE(counter);
}

static __attribute__((noinline)) long use_alloca(size_t n)
{
    char *text = (char *)alloca(n);
    for (size_t i = 0; i < n; i += 8)
        text[i] = 1;
    kept(text);
    return text[n / 2 & ~(size_t)7];
}

BODY(alloca_256)
{
    for (long i = 0; i < context->rounds; i++)
        USE(use_alloca(hidden(256)));
}

static __attribute__((noinline)) void leave(jmp_buf place, long *counter)
{
    *counter += 1;
    longjmp(place, 1);
}

BODY(jumps)
{
    volatile long i = 0;
    long counter = 0;
    jmp_buf place;
    for (; i < context->rounds; i = i + 1)
        if (!setjmp(place))
            leave(place, (long *)kept(&counter));
}

static void *touch_stack(void *unused)
{
    (void)unused;
    volatile char room[16384];
    for (size_t i = 0; i < sizeof room; i += 64)
        room[i] = 1;
    return NULL;
}

BODY(threads_made)
{
    for (long i = 0; i < context->rounds; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, touch_stack, NULL);
        pthread_join(thread, NULL);
    }
}

static _Thread_local long local_counter[16];
BODY(thread_local)
{
    for (long i = 0; i < context->rounds; i++)
        local_counter[i & 15] += 1;
}

/* ---- strings, byte by byte: 64 letters each, shared source ---- */

BODY(string_copy)
{
    char *to = target[context->id];
    for (long i = 0; i < context->rounds; i++) {
        const char *from = source + sizeof source - 65;
        char *at = (char *)kept(to);
        while ((*at++ = *from++))
            ;
    }
}

BODY(string_hash)
{
    for (long i = 0; i < context->rounds; i++) {
        uint32_t hash = 2166136261u;
        for (const char *from = source + sizeof source - 65; *from; from++)
            hash = (hash ^ (unsigned char)*from) * 16777619u;
        USE(hash);
    }
}

BODY(string_reverse)
{
    for (long i = 0; i < context->rounds; i++) {
        char *low = (char *)kept(target[context->id]), *high = low + 63;
        while (low < high) {
            char letter = *low;
            *low++ = *high;
            *high-- = letter;
        }
    }
}

BODY(string_upper)
{
    for (long i = 0; i < context->rounds; i++) {
        char *at = (char *)kept(target[context->id]);
        SCALAR_LOOP
        for (int j = 0; j < 64; j++)
            at[j] = (char)(at[j] ^ ((at[j] & 64) >> 1));
    }
}

BODY(string_equal)
{
    const char *other = target[context->id];
    for (long i = 0; i < context->rounds; i++) {
        long same = 0;
        while (same < 64 && source[same] == other[same])
            same++;
        USE(same);
    }
}

BODY(string_number)
{
    for (long i = 0; i < context->rounds; i++) {
        char *at = (char *)kept(target[context->id]) + 20;
        for (unsigned long n = (unsigned long)i * 7919 + 1; n; n /= 10)
            *--at = (char)('0' + n % 10);
    }
}

#define FUNCTION_CELL(name, bytes) {"function/" #name "/" #bytes, 1, name##_##bytes, prepare},
#define PLAIN_CELL(group, body) {group "/" #body, 1, body, prepare},
#define BOTH_CELLS(group, body)                                                                    \
    {group "/" #body "/1", 1, body, prepare}, {group "/" #body "/2", 2, body, prepare},

/* The macros bring their commas. */
/* clang-format off */
const struct cell cells[] = {
    BOTH_CELLS("allocation", pair_16)
    BOTH_CELLS("allocation", pair_256)
    PLAIN_CELL("allocation", pair_4096)
    PLAIN_CELL("allocation", pair_1000000)
    BOTH_CELLS("allocation", fill_64)
    BOTH_CELLS("allocation", fill_4096)
    PLAIN_CELL("allocation", fill_1000000)
    PLAIN_CELL("allocation", batch_fifo)
    PLAIN_CELL("allocation", batch_lifo)
    BOTH_CELLS("allocation", batch_mixed)
    PLAIN_CELL("allocation", zeroed)
    PLAIN_CELL("allocation", grown)
    PLAIN_CELL("allocation", mapped)
    BOTH_CELLS("allocation", freed_elsewhere)
    BOTH_CELLS("allocation", linked)
    FUNCTIONS(FUNCTION_CELL)
    {"function/copy/64/shared", 2, copy_64, prepare},
    {"function/copy/4096/shared", 2, copy_4096, prepare},
    {"function/length/4096/shared", 2, length_4096, prepare},
    PLAIN_CELL("stack", recursion_pure)
    PLAIN_CELL("stack", recursion_arrays)
    PLAIN_CELL("stack", recursion_deep)
    PLAIN_CELL("stack", calls_leaf)
    PLAIN_CELL("stack", calls_pointer)
    PLAIN_CELL("stack", alloca_256)
    PLAIN_CELL("stack", jumps)
    PLAIN_CELL("stack", threads_made)
    PLAIN_CELL("stack", thread_local)
    BOTH_CELLS("string", string_copy)
    BOTH_CELLS("string", string_hash)
    PLAIN_CELL("string", string_reverse)
    PLAIN_CELL("string", string_upper)
    BOTH_CELLS("string", string_equal)
    PLAIN_CELL("string", string_number)
    {NULL, 0, NULL, NULL},
};
/* clang-format on */

/* Two ranges that share eight bytes. */
TWIN(twin_copies)
{
    memcpy(target[0], source, hidden(512));
}

TWIN(twin_sets)
{
    memset(target[0] + 504, 1, hidden(512));
}

/* A string that is read byte by byte, and one of its letters written. */
TWIN(twin_hashes)
{
    uint32_t hash = 0;
    for (int i = 0; i < 64; i++)
        hash = hash * 31 + (unsigned char)((volatile char *)target[1])[i];
    USE(hash);
}

TWIN(twin_letter)
{
    ((volatile char *)target[1])[33] = 'x';
}

/* An object of the heap that two threads write. */
static long *heap_object;
__attribute__((constructor)) static void make_object(void)
{
    heap_object = (long *)kept(calloc(1, 64));
}

TWIN(twin_heap)
{
    ((volatile long *)heap_object)[3] = 1;
}

TWIN(twin_frees)
{
    free(kept(heap_object));
}

/* A thread's local variable, written through a pointer that went out without synchronisation. */
static long *_Atomic lent;
static _Atomic int returned;

TWIN(twin_lends)
{
    volatile long local[4] = {0};
    __atomic_store_n((long **)&lent, (long *)local, __ATOMIC_RELAXED);
    while (!__atomic_load_n((int *)&returned, __ATOMIC_RELAXED))
        __asm__ volatile("pause");
    local[2] = 1;
}

TWIN(twin_borrows)
{
    long *at;
    while (!(at = __atomic_load_n((long **)&lent, __ATOMIC_RELAXED)))
        __asm__ volatile("pause");
    ((volatile long *)at)[2] = 2;
    __atomic_store_n((int *)&returned, 1, __ATOMIC_RELAXED);
}

const struct twin twins[] = {
    {"functions", twin_copies, twin_sets}, {"string", twin_hashes, twin_letter},
    {"heap", twin_heap, twin_heap},        {"free", twin_heap, twin_frees},
    {"stack", twin_lends, twin_borrows},   {NULL, NULL, NULL},
};
