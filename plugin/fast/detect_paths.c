/*
 * detect_paths.c - the inline checks of the detect flavour.
 *
 * Compiled to bitcode, linked into each module of the program and always inlined. Each compares all
 * four marks of the granule at once: has this thread already made this access in this epoch? All
 * else is behind the call (native/paths.c), which preserves registers and is marked cold.
 * native/cell.h has the layout of a mark.
 */
#include "native/cell.h"
#include "native/paths.h"

#define INLINE __attribute__((always_inline)) void
#define HELPER static inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)

typedef uint32_t lanes __attribute__((vector_size(16), may_alias));
typedef float floats __attribute__((vector_size(16)));

/* The bits of a mark that do not matter to an access: the other bytes and, for a read, the write
   bit. With these bits set, a mark that covers the access equals that of a write to all bytes. */
#define LANES(x) {(x), (x), (x), (x)}
#define REST(size, offset, kind)                                                                   \
    LANES((SM_MARK_BYTES & ~(((1u << (size)) - 1) << (offset))) | (kind))
#define REST_1(kind)                                                                               \
    {REST(1, 0, kind), REST(1, 1, kind), REST(1, 2, kind), REST(1, 3, kind),                       \
     REST(1, 4, kind), REST(1, 5, kind), REST(1, 6, kind), REST(1, 7, kind)}
#define REST_2(kind) {REST(2, 0, kind), REST(2, 2, kind), REST(2, 4, kind), REST(2, 6, kind)}
#define REST_4(kind) {REST(4, 0, kind), REST(4, 4, kind)}
static const lanes rest_read1[8] = REST_1(SM_MARK_WRITE), rest_write1[8] = REST_1(0);
static const lanes rest_read2[4] = REST_2(SM_MARK_WRITE), rest_write2[4] = REST_2(0);
static const lanes rest_read4[2] = REST_4(SM_MARK_WRITE), rest_write4[2] = REST_4(0);
static const lanes rest_read8 = LANES(SM_MARK_WRITE), rest_write8 = LANES(0);

HELPER lanes equal(const struct sm_cell *cell, lanes rest)
{
    return (lanes)((*(const lanes *)cell | rest) == *(const lanes *)&sm_own.all);
}

HELPER bool any(lanes equal)
{
    return __builtin_ia32_movmskps((floats)equal) != 0;
}

#define ONE_GRANULE(kind, size)                                                                    \
    INLINE sm_inline_##kind##size(uintptr_t addr, const struct sm_site *site)                      \
    {                                                                                              \
        if (!LIKELY(any(equal(sm_cell_of(addr), rest_##kind##size[(addr & 7) / (size)]))))         \
            sm_##kind##size(addr, site);                                                           \
    }
ONE_GRANULE(read, 1)
ONE_GRANULE(read, 2)
ONE_GRANULE(read, 4)
ONE_GRANULE(write, 1)
ONE_GRANULE(write, 2)
ONE_GRANULE(write, 4)

/* n whole granules in a row: mostly their marks are in the same lane; other cases go to the
   call. */
HELPER bool all_equal(uintptr_t addr, unsigned n, lanes rest)
{
    const struct sm_cell *cells = sm_cell_of(addr);
    lanes all = equal(cells, rest);
#pragma clang loop unroll(full)
    for (unsigned i = 1; i < n; i++)
        all &= equal(cells + i, rest);
    return any(all);
}

#define WHOLE(kind, size)                                                                          \
    INLINE sm_inline_##kind##size(uintptr_t addr, const struct sm_site *site)                      \
    {                                                                                              \
        if (!LIKELY(all_equal(addr, (size) / 8, rest_##kind##8)))                                  \
            sm_##kind##size(addr, site);                                                           \
    }
WHOLE(read, 8)
WHOLE(write, 8)
WHOLE(read, 16)
WHOLE(write, 16)

/* The same checks behind a call (detect_outline.h). */
#define OUTLINE(name, what)                                                                        \
    __attribute__((noinline)) SM_COLD_PATH void sm_outline_##name(uintptr_t addr, what)            \
    {                                                                                              \
        sm_inline_##name(addr, about);                                                             \
    }
#define SIZE(size)                                                                                 \
    OUTLINE(read##size, const struct sm_site *about)                                               \
    OUTLINE(write##size, const struct sm_site *about)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)

/* Perhaps unaligned, as in packed structs and where a parser copies a word out of its input: up to
   two granules for each eight bytes. Of a granule that is not accessed any mark of the epoch will
   do. */
HELPER lanes rest_of(uint32_t bytes, uint32_t kind)
{
    return (lanes)LANES((SM_MARK_BYTES & ~bytes) | kind);
}

HELPER bool is_marked(uintptr_t addr, uint64_t size, uint32_t kind)
{
    uint32_t bytes = ((1u << size) - 1) << (addr & 7);
    return any(equal(sm_cell_of(addr), rest_of(bytes, kind)) &
               equal(sm_cell_of(addr + size - 1), rest_of(bytes >> 8, kind)));
}

HELPER bool is_marked_any(uintptr_t addr, uint64_t size, uint32_t kind)
{
    if (size == 16)
        return is_marked(addr, 8, kind) && is_marked(addr + 8, 8, kind);
    return size <= 8 && is_marked(addr, size, kind);
}

INLINE sm_inline_read_any(uintptr_t addr, uint64_t size, const struct sm_site *site)
{
    if (!LIKELY(is_marked_any(addr, size, SM_MARK_WRITE)))
        sm_read_any(addr, site);
}

INLINE sm_inline_write_any(uintptr_t addr, uint64_t size, const struct sm_site *site)
{
    if (!LIKELY(is_marked_any(addr, size, 0)))
        sm_write_any(addr, site);
}

#define OUTLINE_ANY(name)                                                                          \
    __attribute__((noinline)) SM_COLD_PATH void sm_outline_##name(uintptr_t addr, uint64_t size,   \
                                                                  const struct sm_site *site)      \
    {                                                                                              \
        sm_inline_##name(addr, size, site);                                                        \
    }
OUTLINE_ANY(read_any)
OUTLINE_ANY(write_any)

#define WORDS(n)                                                                                   \
    INLINE sm_inline_read_words##n(uintptr_t addr, const struct sm_words *words)                   \
    {                                                                                              \
        if (!LIKELY(all_equal(addr, n, rest_read8)))                                               \
            sm_read_words(addr, words);                                                            \
    }                                                                                              \
    INLINE sm_inline_write_words##n(uintptr_t addr, const struct sm_words *words)                  \
    {                                                                                              \
        if (!LIKELY(all_equal(addr, n, rest_write8)))                                              \
            sm_write_words(addr, words);                                                           \
    }
WORDS(2)
WORDS(3)
WORDS(4)
WORDS(5)
WORDS(6)
WORDS(7)
WORDS(8)
#define OUTLINE_WORDS(n)                                                                           \
    OUTLINE(read_words##n, const struct sm_words *about)                                           \
    OUTLINE(write_words##n, const struct sm_words *about)
OUTLINE_WORDS(2)
OUTLINE_WORDS(3)
OUTLINE_WORDS(4)
OUTLINE_WORDS(5)
OUTLINE_WORDS(6)
OUTLINE_WORDS(7)
OUTLINE_WORDS(8)
_Static_assert(SM_WORDS_MAX == 8, "a path for each number");

INLINE sm_inline_read_range(uintptr_t start, uint64_t count, uint64_t step,
                            const struct sm_site *site)
{
    sm_read_range(start, count, step, site);
}

INLINE sm_inline_write_range(uintptr_t start, uint64_t count, uint64_t step,
                             const struct sm_site *site)
{
    sm_write_range(start, count, step, site);
}

INLINE sm_inline_read_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    sm_read_stripes(start, count, words);
}

INLINE sm_inline_write_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    sm_write_stripes(start, count, words);
}

INLINE sm_inline_call(const struct sm_site *site)
{
    sm_history_push(sm_own.history, SM_HISTORY_CALL, (uintptr_t)__builtin_frame_address(0), site);
}

INLINE sm_inline_return(const struct sm_site *site)
{
    sm_history_return(sm_own.history, (uintptr_t)__builtin_frame_address(0), site);
}

#define OUTLINE_EVENT(name) __attribute__((noinline)) SM_COLD_PATH void sm_outline_##name
OUTLINE_EVENT(call)(const struct sm_site *site, uintptr_t frame)
{
    sm_history_push(sm_own.history, SM_HISTORY_CALL, frame, site);
}

OUTLINE_EVENT(return)(const struct sm_site *site, uintptr_t frame)
{
    sm_history_return(sm_own.history, frame, site);
}
