/*
 * range.c - many accesses at once: what loops were found to do, before they do it.
 *
 * Contiguous accesses are one range of bytes. Its whole granules are first asked the inline paths'
 * question. Those that have the state which the last changed one had, as most neighbours do, change
 * in the same way; only the others are worked out. These are ordinary calls: vector registers may
 * be used.
 */
#include <emmintrin.h>

#include "abi/site.h"
#include "base/sys.h"
#include "native/marks.h"
#include "native/shadow.h"
#include "native/window.h"

struct range {
    struct sm_detect_thread *thread;
    const struct sm_site *site;
    const struct sm_words *words; /* of stripes; else NULL */
    uintptr_t addr;
    size_t size;
    uint32_t mine; /* the mark of an access to a whole granule */
    unsigned kind;
    bool outer;              /* of sm_marking_begin */
    bool told;               /* the history has it */
    bool changed;            /* a mark: then the history gets the range */
    struct sm_cell from, to; /* how the last whole granule changed */
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

/* ---- one granule ---- */

static __attribute__((noinline)) void other_granule(struct range *range, uintptr_t addr,
                                                    struct sm_cell *cell)
{
    struct sm_cell seen, next;
    do {
        next = seen = sm_cell_load(cell);
        enum sm_applied applied = sm_cell_mark(&seen, 0) >= SM_MARK_STATES
                                      ? SM_MARKS_OTHER
                                      : sm_marks_apply(range->thread, range->mine, &next);
        if (applied == SM_MARKS_OTHER)
            check(range, addr, 8);
        if (applied != SM_MARKS_CHANGED)
            return;
    } while (!sm_cell_replace(cell, seen, next));
    range->changed = true;
    range->from = seen;
    range->to = next;
}

static inline bool is_marked(const struct sm_cell *cell, __m128i rest, __m128i all)
{
    __m128i marks = _mm_or_si128(_mm_load_si128((const __m128i *)cell), rest);
    return _mm_movemask_epi8(_mm_cmpeq_epi32(marks, all)) != 0;
}

static inline void granule(struct range *range, uintptr_t addr, struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell);
    if (seen.half[0] == range->from.half[0] && seen.half[1] == range->from.half[1] &&
        sm_cell_replace(cell, seen, range->to)) {
        range->changed = true;
        return;
    }
    other_granule(range, addr, cell);
}

static void granules(struct range *range, uintptr_t addr, uintptr_t end)
{
    __m128i all = _mm_set1_epi32((int)(range->mine | SM_MARK_WRITE));
    __m128i rest = _mm_set1_epi32((int)(~range->mine & SM_MARK_WRITE));
    for (struct sm_cell *cell = sm_cell_of(addr); addr < end; addr += 8, cell++)
        if (!is_marked(cell, rest, all))
            granule(range, addr, cell);
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
    granules(range, first, last);
    part(range, last, end);
}

static void spaced(struct range *range, uint64_t count, uint64_t step)
{
    uint32_t size = range->site->size;
    if (size == 8 && range->addr % 8 == 0 && step % 8 == 0) {
        for (uint64_t i = 0; i < count; i++)
            granules(range, range->addr + i * step, range->addr + i * step + 8);
        return;
    }
    range->changed = true;
    for (uint64_t i = 0; i < count; i++)
        check(range, range->addr + i * step, size);
}

static void striped(struct range *range)
{
    const struct sm_words *words = range->words;
    uintptr_t end = range->addr + range->size;
    for (uintptr_t addr = range->addr; addr < end; addr += words->step)
        for (uint64_t i = 0; i < words->n; i++) {
            range->site = words->sites[i];
            granules(range, addr + 8 * i, addr + 8 * i + 8);
        }
}

static bool begin(struct range *range, uintptr_t addr, size_t size, unsigned kind,
                  const struct sm_site *site)
{
    struct sm_detect_thread *thread = sm_current;
    if (!thread || thread->busy || thread->ignored || !size || !sm_marking_renew(thread))
        return false;
    *range = (struct range){
        .thread = thread,
        .site = site,
        .addr = addr,
        .size = size,
        .mine = sm_mark_of(sm_own.epoch, kind & SM_ACCESS_WRITE, SM_MARK_BYTES),
        .kind = kind | SM_ACCESS_RANGE,
        .from.mark[0] = SM_MARK_NO_CELL,
    };
    return sm_marking_begin(thread, &range->outer);
}

static void finish(struct range *range)
{
    if (range->changed)
        tell(range);
    sm_marking_end(range->thread, range->outer);
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

#define CHECKED_RANGES 16
static __thread struct checked checked[2][CHECKED_RANGES]; /* reads, writes */
static __thread uint32_t round;

void sm_ranges_forget(void)
{
    round++;
}

/* Rows of a few kilobytes do not share an entry with their neighbours. */
static struct checked *checked_place(uintptr_t addr, unsigned kind)
{
    return &checked[kind & SM_ACCESS_WRITE][addr / 4096 % CHECKED_RANGES];
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
    finish(&range);
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
static __thread struct checked_stripes checked_stripes[CHECKED_RANGES];

static struct checked_stripes *stripes_place(const struct sm_words *words)
{
    return &checked_stripes[(uintptr_t)words / 64 % CHECKED_RANGES];
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
    finish(&range);
    *last = (struct checked_stripes){addr, end, words, sm_own.epoch, round};
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
    finish(&range);
}
