/*
 * range.c - many accesses at once: what loops were found to do, before they do it.
 *
 * Contiguous accesses are one range of bytes. Its whole granules are gone through two cells
 * at a time: first with the inline paths' question (is my mark there already?), then with
 * the next one (is it all mine, to be renewed?); only where both say no are they looked at one
 * by one. These are ordinary calls: vector registers may be used.
 */
#include <emmintrin.h>

#include "abi/site.h"
#include "base/sys.h"
#include "native/paths.h"
#include "native/shadow.h"

struct range {
    struct sm_detect_thread *thread;
    const struct sm_site *site;
    const struct sm_words *words; /* of stripes; else NULL */
    uintptr_t addr;
    size_t size;
    uint32_t me;
    unsigned kind;
    bool told;      /* the history has it */
    bool changed;   /* a mark: then the history gets the range */
    bool taken;     /* a cell from another thread: then it is looked at again (takeover.h) */
    uint32_t known; /* an epoch of another thread that this one has seen: the last one met */
    uintptr_t split_from, split_to; /* granules written that had more than a cell lie within */
};

static void tell(struct range *range)
{
    if (range->told)
        return;
    if (range->words)
        sm_history_add(range->thread->history, SM_HISTORY_STRIPES, range->addr,
                       (const struct sm_site *)(const void *)range->words);
    else
        sm_history_add(range->thread->history, SM_HISTORY_RANGE, range->addr, range->site);
    sm_history_add(range->thread->history, SM_HISTORY_LENGTH, range->size, NULL);
    range->told = true;
}

/* What may find a race comes when the history has the range. */
static void check(struct range *range, uintptr_t addr, size_t size)
{
    tell(range);
    sm_check(addr, size, range->kind, range->site);
}

static bool seen_or_none(const struct sm_detect_thread *thread, uint32_t epoch)
{
    return !epoch || sm_has_seen(thread, epoch);
}

/* Neither flags nor several readers. */
static bool is_simple(struct sm_cell seen)
{
    return !((seen.write | seen.read) & SM_CELL_HALF) && seen.read != SM_CELL_MULTI;
}

/* An empty cell may lie in a page that is not there yet; the fault must not fall between the
   load and the store. False if the cell is no longer empty. */
static bool is_really_empty(struct sm_cell *cell, struct sm_cell seen)
{
    if (seen.write | seen.read)
        return true;
    bool first_of_page = (uintptr_t)cell % 4096 < 16;
    return !first_of_page || __atomic_fetch_or((uint64_t *)cell, 0, __ATOMIC_RELAXED) == 0;
}

/* ---- one granule ---- */

static void read_other(struct range *range, uintptr_t addr, struct sm_cell *cell,
                       struct sm_cell seen)
{
    range->changed = true;
    if (seen.read == SM_CELL_MULTI && sm_same_block(*sm_own_reader(cell), range->me)) {
        __atomic_store_n(sm_own_reader(cell), range->me, __ATOMIC_RELAXED);
    } else if (is_simple(seen) && is_really_empty(cell, seen) &&
               seen_or_none(range->thread, seen.write) && seen_or_none(range->thread, seen.read)) {
        range->taken = true;
        range->known = seen.write ? seen.write : seen.read;
        sm_cell_store_read(cell, range->me);
    } else {
        check(range, addr, 8);
    }
}

static inline void read_granule(struct range *range, uintptr_t addr, struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t me = range->me;
    if (seen.read == me || seen.write == me)
        return;
    if (seen.read == SM_CELL_MULTI && *sm_own_reader(cell) == me)
        return;
    if (sm_same_block(seen.read, me) || (!seen.read && sm_same_block(seen.write, me))) {
        range->changed = true;
        sm_cell_store_read(cell, me);
        return;
    }
    read_other(range, addr, cell, seen);
}

static void write_other(struct range *range, uintptr_t addr, struct sm_cell *cell,
                        struct sm_cell seen)
{
    range->changed = true;
    if (is_simple(seen) && is_really_empty(cell, seen) && seen_or_none(range->thread, seen.write) &&
        seen_or_none(range->thread, seen.read)) {
        range->taken = true;
        range->known = seen.write ? seen.write : seen.read;
        sm_cell_store(cell, range->me, 0);
    } else {
        if (!range->split_to)
            range->split_from = addr;
        range->split_to = addr + 8;
        check(range, addr, 8);
    }
}

static inline void write_granule(struct range *range, uintptr_t addr, struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell);
    uint32_t me = range->me;
    if (seen.write == me && !seen.read)
        return;
    if (sm_same_block(seen.write, me) && (!seen.read || sm_same_block(seen.read, me))) {
        range->changed = true;
        sm_cell_store(cell, me, 0);
        return;
    }
    write_other(range, addr, cell, seen);
}

/* ---- two granules: lanes are write, read, write, read ---- */

struct lanes {
    __m128i me;       /* the epoch in every lane */
    __m128i written;  /* the epoch, none, the epoch, none */
    __m128i block;    /* the epoch's block in every lane */
    __m128i in_block; /* mask of the bits that tell blocks apart */
    __m128i known;    /* range->known in every lane */
};

static struct lanes make_lanes(uint32_t me)
{
    int mask = (int)~(SM_EPOCH_BLOCK - 1);
    return (struct lanes){_mm_set1_epi32((int)me), _mm_set1_epi64x(me),
                          _mm_set1_epi32((int)me & mask), _mm_set1_epi32(mask),
                          _mm_setzero_si128()};
}

static int equal_lanes(__m128i a, __m128i b)
{
    return _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b)));
}

static int own_lanes(__m128i seen, const struct lanes *lanes)
{
    return equal_lanes(_mm_and_si128(seen, lanes->in_block), lanes->block);
}

static int empty_lanes(__m128i seen)
{
    return equal_lanes(seen, _mm_setzero_si128());
}

enum { WRITES = 1 | 4, READS = 2 | 8, ALL = WRITES | READS };

/* In each pair one lane at least: of (write, read). */
static bool one_of_each(int lanes)
{
    return ((lanes | lanes >> 1) & WRITES) == WRITES;
}

/* Every mark the thread's own, one that it has seen, or none: what another thread wrote in one
   epoch, or nobody yet, is mostly larger than two granules. */
static inline bool may_take_two(struct range *range, const struct sm_cell *cell, __m128i seen,
                                const struct lanes *lanes)
{
    int empty = empty_lanes(seen);
    if ((own_lanes(seen, lanes) | empty | equal_lanes(seen, lanes->known)) != ALL ||
        (empty == ALL && (uintptr_t)cell % 4096 < 16)) /* see is_really_empty */
        return false;
    range->taken = true;
    return true;
}

static inline bool two_reads(struct range *range, struct sm_cell *cell, const struct lanes *lanes)
{
    __m128i seen = _mm_load_si128((const __m128i *)cell);
    if (SM_LIKELY(one_of_each(equal_lanes(seen, lanes->me))))
        return true;
    int own = own_lanes(seen, lanes), usable = own | (empty_lanes(seen) & own << 1);
    if ((usable & READS) != READS && !may_take_two(range, cell, seen, lanes))
        return false;
    range->changed = true;
    sm_cell_store_read(cell, range->me);
    sm_cell_store_read(cell + 1, range->me);
    return true;
}

static inline bool two_writes(struct range *range, struct sm_cell *cell, const struct lanes *lanes)
{
    __m128i seen = _mm_load_si128((const __m128i *)cell);
    if (SM_LIKELY(equal_lanes(seen, lanes->written) == ALL))
        return true;
    int usable = own_lanes(seen, lanes) | (empty_lanes(seen) & READS);
    if (usable != ALL && !may_take_two(range, cell, seen, lanes))
        return false;
    range->changed = true;
    _mm_store_si128((__m128i *)cell, lanes->written); /* each half of it is one cell's store */
    return true;
}

static void read_granules(struct range *range, uintptr_t addr, uintptr_t end)
{
    struct lanes lanes = make_lanes(range->me);
    if (addr % 16 && addr < end) {
        read_granule(range, addr, sm_cell_low(addr));
        addr += 8;
    }
    struct sm_cell *cell = sm_cell_low(addr);
    for (; addr + 16 <= end; addr += 16, cell += 2) {
        if (SM_LIKELY(two_reads(range, cell, &lanes)))
            continue;
        read_granule(range, addr, cell);
        read_granule(range, addr + 8, cell + 1);
        lanes.known = _mm_set1_epi32((int)range->known);
    }
    if (addr < end)
        read_granule(range, addr, cell);
}

static void write_granules(struct range *range, uintptr_t addr, uintptr_t end)
{
    struct lanes lanes = make_lanes(range->me);
    if (addr % 16 && addr < end) {
        write_granule(range, addr, sm_cell_low(addr));
        addr += 8;
    }
    struct sm_cell *cell = sm_cell_low(addr);
    for (; addr + 16 <= end; addr += 16, cell += 2) {
        if (SM_LIKELY(two_writes(range, cell, &lanes)))
            continue;
        write_granule(range, addr, cell);
        write_granule(range, addr + 8, cell + 1);
        lanes.known = _mm_set1_epi32((int)range->known);
    }
    if (addr < end)
        write_granule(range, addr, cell);
}

/* ---- ranges ---- */

/* The ends that are no whole granules. */
static void part(struct range *range, uintptr_t addr, uintptr_t end)
{
    if (addr >= end)
        return;
    range->changed = true;
    check(range, addr, end - addr);
}

static void contiguous(struct range *range)
{
    uintptr_t end = range->addr + range->size;
    uintptr_t first = (range->addr + 7) & ~7ul, last = end & ~7ul;
    if (first > last) {
        part(range, range->addr, end);
        return;
    }
    part(range, range->addr, first);
    if (range->kind & SM_ACCESS_WRITE)
        write_granules(range, first, last);
    else
        read_granules(range, first, last);
    if (range->split_to)
        sm_planes_trim(first, last, range->split_from, range->split_to);
    part(range, last, end);
}

/* Mostly the marks are the thread's own: of the last read, or of its write where nobody has read
   since. */
static void spaced_reads(struct range *range, uint64_t count, uint64_t step)
{
    uintptr_t addr = range->addr;
    uint32_t me = range->me, changed = 0;
    for (uint64_t i = 0; i < count; i++, addr += step) {
        struct sm_cell *cell = sm_cell_low(addr), seen = sm_cell_load(cell);
        uint32_t difference = (seen.read ? seen.read : seen.write) ^ me;
        if (SM_LIKELY(difference < SM_EPOCH_BLOCK)) {
            if (difference)
                sm_cell_store_read(cell, me);
            changed |= difference;
        } else {
            read_granule(range, addr, cell);
        }
    }
    range->changed |= changed != 0;
}

static void spaced_writes(struct range *range, uint64_t count, uint64_t step)
{
    uintptr_t addr = range->addr;
    uint32_t me = range->me, changed = 0;
    for (uint64_t i = 0; i < count; i++, addr += step) {
        struct sm_cell *cell = sm_cell_low(addr), seen = sm_cell_load(cell);
        uint32_t difference = (seen.write ^ me) | ((seen.read ? seen.read : me) ^ me);
        if (SM_LIKELY(difference < SM_EPOCH_BLOCK)) {
            sm_cell_store(cell, me, 0);
            changed |= difference | seen.read;
        } else {
            write_granule(range, addr, cell);
        }
    }
    range->changed |= changed != 0;
}

static void spaced(struct range *range, uint64_t count, uint64_t step)
{
    uint32_t size = range->site->size;
    if (size == 8 && range->addr % 8 == 0 && step % 8 == 0) {
        (range->kind & SM_ACCESS_WRITE ? spaced_writes : spaced_reads)(range, count, step);
        return;
    }
    range->changed = true;
    for (uint64_t i = 0; i < count; i++)
        check(range, range->addr + i * step, size);
}

/* ---- stripes ---- */

/* Words that several threads read, this one among them: it renews its own marks, which are no
   less than that in most loops over what all threads read. */
static inline __attribute__((always_inline)) bool
renew_readers(const struct sm_cell *cells, uint64_t n, uint32_t me, uint32_t *changed)
{
    uint32_t several = 0, difference = 0;
    if (__atomic_load_n(&cells->read, __ATOMIC_RELAXED) != SM_CELL_MULTI)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        several |= __atomic_load_n(&cells[i].read, __ATOMIC_RELAXED) ^ SM_CELL_MULTI;
        difference |= __atomic_load_n(sm_own_reader(&cells[i]), __ATOMIC_RELAXED) ^ me;
    }
    if (several || difference >= SM_EPOCH_BLOCK)
        return false;
    *changed |= difference;
    for (uint64_t i = 0; i < n; i++)
        __atomic_store_n(sm_own_reader(&cells[i]), me, __ATOMIC_RELAXED);
    return true;
}

static __attribute__((noinline)) void each_word(struct range *range, uintptr_t addr)
{
    const struct sm_words *words = range->words;
    for (uint64_t i = 0; i < words->n; i++) {
        range->site = words->sites[i];
        (range->kind & SM_ACCESS_WRITE ? write_granule : read_granule)(range, addr + 8 * i,
                                                                       sm_cell_low(addr) + i);
    }
}

/* A number of words that is known unrolls the loops: moldyn reads three. */
static inline __attribute__((always_inline)) void read_stripes(struct range *range, uint64_t n)
{
    uint64_t step = range->words->step;
    uintptr_t end = range->addr + range->size;
    uint32_t me = range->me, changed = 0;
    for (uintptr_t addr = range->addr; addr < end; addr += step)
        if (!renew_readers(sm_cell_low(addr), n, me, &changed))
            each_word(range, addr);
    range->changed |= changed != 0;
}

static void striped(struct range *range)
{
    uintptr_t end = range->addr + range->size;
    if (range->kind & SM_ACCESS_WRITE)
        for (uintptr_t addr = range->addr; addr < end; addr += range->words->step)
            each_word(range, addr);
    else if (range->words->n == 2)
        read_stripes(range, 2);
    else if (range->words->n == 3)
        read_stripes(range, 3);
    else
        read_stripes(range, range->words->n);
}

static bool begin(struct range *range, uintptr_t addr, size_t size, unsigned kind,
                  const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    *range = (struct range){.thread = thread,
                            .site = site,
                            .addr = addr,
                            .size = size,
                            .me = sm_own.epoch,
                            .kind = kind | SM_ACCESS_RANGE};
    return thread && !thread->busy && !thread->ignored && size;
}

static void finish(struct range *range, uint64_t step)
{
    if (range->changed)
        tell(range);
    if (range->taken && !(range->kind & SM_ACCESS_FREE)) {
        struct sm_takeover taken = {range->addr,
                                    {range->site},
                                    range->size,
                                    (uint32_t)step,
                                    range->kind & SM_ACCESS_WRITE ? SM_TAKEOVER_WRITE
                                                                  : range->known};
        if (range->words) {
            taken.words = range->words;
            taken.step = SM_TAKEOVER_WORDS;
        }
        sm_takeover_note(range->thread, taken);
    }
}

/* ---- ranges that were checked a moment ago ----
 * Loops within loops go over the same rows again and again. What a thread has marked in this
 * epoch stays marked, or has been overwritten by an access that was checked against the mark;
 * so a range within one that was checked in this epoch needs no look at the shadow. Memory
 * that is new to the program has no marks: sm_ranges_forget. */

struct checked {
    uintptr_t addr, end;
    uint64_t step;
    uint32_t epoch, round;
};

#define CHECKED 16
static __thread struct checked checked[2][CHECKED]; /* reads, writes */
static __thread uint32_t round;

void sm_ranges_forget(void)
{
    round++;
}

/* Rows of a few kilobytes do not share an entry with their neighbours. */
static struct checked *checked_place(uintptr_t addr, unsigned kind)
{
    return &checked[kind & SM_ACCESS_WRITE][addr / 4096 % CHECKED];
}
_Static_assert(SM_ACCESS_WRITE == 1, "an index");

/* Accesses of the site's size from `addr` on, so far apart; step 0: all bytes to `end`. */
struct accesses {
    const struct sm_site *site;
    uint64_t step;
    unsigned kind;
};

/* Does what was checked, in this epoch, have accesses in common with these or border on them? */
static bool joins(const struct checked *last, const struct accesses *these, uintptr_t addr,
                  uintptr_t end)
{
    uint64_t step = these->step;
    return last->epoch == sm_own.epoch && last->round == round && last->step == step &&
           addr <= last->end && last->addr <= end &&
           (step == 0 || (int64_t)(addr - last->addr) % (int64_t)step == 0);
}

static void check_some(const struct accesses *these, uintptr_t addr, uintptr_t end)
{
    struct range range;
    if (!begin(&range, addr, end - addr, these->kind, these->site))
        return;
    if (these->step == 0)
        contiguous(&range);
    else
        spaced(&range, (end - addr - these->site->size) / these->step + 1, these->step);
    finish(&range, these->step);
}

/* All but those that were checked: what lies before them and what behind. In a stencil each row is
   gone over as its own, as that above and as that below, one element more or less each time. */
static void check_but(const struct checked *const *known, const struct accesses *these,
                      uintptr_t addr, uintptr_t end)
{
    while (*known && !joins(*known, these, addr, end))
        known++;
    const struct checked *last = *known;
    if (addr >= end)
        return;
    if (!last) {
        check_some(these, addr, end);
        return;
    }
    uint64_t gap = these->step ? these->step - these->site->size : 0;
    check_but(known + 1, these, addr, last->addr - gap);
    check_but(known + 1, these, last->end + gap, end);
}

static void remember(struct checked *last, const struct accesses *these, uintptr_t addr,
                     uintptr_t end)
{
    if (joins(last, these, addr, end)) {
        addr = last->addr < addr ? last->addr : addr;
        end = last->end > end ? last->end : end;
    }
    *last = (struct checked){addr, end, these->step, sm_own.epoch, round};
}

/* What was written in this epoch need not be checked for reads. */
static void check_all(uintptr_t addr, uint64_t count, uint64_t step, unsigned kind,
                      const struct sm_site *site)
{
    struct checked *last = checked_place(addr, kind);
    const struct checked *known[] = {last, kind ? NULL : checked_place(addr, SM_ACCESS_WRITE),
                                     NULL};
    uintptr_t end = addr + (count - 1) * step + site->size;
    struct accesses these = {site, step <= site->size ? 0 : step, kind};
    check_but(known, &these, addr, end);
    remember(last, &these, addr, end);
}

void sm_read_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site)
{
    check_all(start, count, step, 0, site);
}

void sm_write_range(uintptr_t start, uint64_t count, uint64_t step, const struct sm_site *site)
{
    check_all(start, count, step, SM_ACCESS_WRITE, site);
}

/* Of stripes the place is the loop's: how long and how far apart they are goes with it. */
struct checked_stripes {
    uintptr_t addr, end;
    const struct sm_words *words;
    uint32_t epoch, round;
};
static __thread struct checked_stripes checked_stripes[CHECKED];

static struct checked_stripes *stripes_place(const struct sm_words *words)
{
    return &checked_stripes[(uintptr_t)words / 64 % CHECKED];
}

static void check_stripes(uintptr_t addr, uint64_t count, const struct sm_words *words,
                          unsigned kind)
{
    struct range range;
    struct checked_stripes *last = stripes_place(words);
    uintptr_t end = addr + (count - 1) * words->step + 8 * words->n;
    if (last->words == words && last->epoch == sm_own.epoch && last->round == round &&
        addr >= last->addr && end <= last->end && (addr - last->addr) % words->step == 0)
        return;
    if (!begin(&range, addr, end - addr, kind, words->sites[0]))
        return;
    range.words = words;
    striped(&range);
    finish(&range, 0);
    *last = (struct checked_stripes){addr, end, words, range.me, round};
}

void sm_read_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    check_stripes(start, count, words, 0);
}

void sm_write_stripes(uintptr_t start, uint64_t count, const struct sm_words *words)
{
    check_stripes(start, count, words, SM_ACCESS_WRITE);
}

void sm_check_range(const void *addr, size_t size, unsigned kind, const struct sm_site *site)
{
    struct range range;
    if (!begin(&range, (uintptr_t)addr, size, kind, site))
        return;
    contiguous(&range);
    finish(&range, 0);
}
