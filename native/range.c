/*
 * range.c - many accesses at once: the accesses of whole loops, checked before the loop runs.
 *
 * Contiguous accesses are one range of bytes. Its whole granules first get the inline check. A
 * granule in the same state as the last one changed, as most neighbours are, changes in the same
 * way; only for the others is the new state computed. Long ranges are claimed first and
 * marked by ordinary stores (claim.h): with two threads, a red-black stencil then takes 0.4 of the
 * time that locked instructions for each granule take. These are ordinary calls: vector registers
 * may be used.
 */
#include <emmintrin.h>

#include "abi/site.h"
#include "base/sys.h"
#include "native/quick.h"
#include "native/shadow.h"
#include "native/slow.h"
#include "native/window.h"

struct range {
    struct sm_detect_thread *thread;
    const struct sm_site *site;
    const struct sm_words *words; /* for stripes; else NULL */
    uintptr_t addr;
    size_t size;
    uint32_t mine; /* the mark of an access to a whole granule */
    unsigned kind;
    bool outer;   /* of sm_marking_begin */
    bool told;    /* the history has the range */
    bool changed; /* some mark: then the history gets the range */
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

/* The inline check: has this thread made the access in this epoch already? */
static inline bool is_marked(uint32_t mine, const struct sm_cell *cell)
{
    __m128i all = _mm_set1_epi32((int)(mine | SM_MARK_WRITE | SM_MARK_BYTES));
    __m128i rest = _mm_set1_epi32((int)(~mine & (SM_MARK_WRITE | SM_MARK_BYTES)));
    __m128i marks = _mm_or_si128(_mm_load_si128((const __m128i *)cell), rest);
    return _mm_movemask_epi8(_mm_cmpeq_epi32(marks, all)) != 0;
}

/* ---- few granules ---- */

#define RANGE_INLINE static inline __attribute__((always_inline))

/* The history has the range before anything that may find a race. */
static __attribute__((noinline)) void other_piece(struct range *range, uintptr_t addr, size_t size,
                                                  uint32_t mine, enum sm_applied applied)
{
    if (applied == SM_MARKS_OTHER)
        applied = sm_marks_access(range->thread, mine, sm_cell_of(addr));
    /* Of parts of granules the thread mostly has no such mark, and all would be searched twice. */
    if (applied == SM_MARKS_OTHER && size == 8 && !(mine & SM_MARK_WRITE))
        applied = sm_reread(range->thread, addr, (uint32_t)size);
    range->changed |= applied == SM_MARKS_CHANGED;
    if (applied == SM_MARKS_CHANGED || applied == SM_MARKS_THERE)
        return;
    tell(range);
    sm_check(addr, size, range->kind | (applied == SM_MARKS_CLAIMED ? SM_ACCESS_AGAIN : 0),
             range->site);
}

/* All or some bytes of one granule. */
RANGE_INLINE void mark_piece(struct range *range, uintptr_t addr, uint32_t size, bool write,
                             struct sm_change *last)
{
    uint32_t mine = (range->mine & ~SM_MARK_BYTES) | sm_byte_mask(addr, size);
    struct sm_cell *cell = sm_cell_of(addr);
    enum sm_applied applied = sm_marks_alike(last, mine, cell);
    if (applied == SM_MARKS_OTHER) {
        if (is_marked(mine, cell))
            return;
        applied = sm_marks_quick(range->thread, mine, write, cell, last);
    }
    if (SM_LIKELY(applied == SM_MARKS_CHANGED))
        range->changed = true;
    else
        other_piece(range, addr, size, mine, applied);
}

/* For writing: a line that is loaded first, and is another core's, is transferred twice. */
RANGE_INLINE void fetch(uintptr_t addr, uintptr_t end)
{
    for (uintptr_t at = addr + 32; at < end; at += 32)
        __asm__ volatile("prefetchw %0" : : "m"(*sm_cell_of(at)));
}

RANGE_INLINE void mark_bytes(struct range *range, uintptr_t addr, uintptr_t end, bool write)
{
    struct sm_change last = {.access = 0};
    if (write)
        fetch(addr, end);
    for (uintptr_t next; addr < end; addr = next) {
        next = (addr & ~7ul) + 8 < end ? (addr & ~7ul) + 8 : end;
        mark_piece(range, addr, (uint32_t)(next - addr), write, &last);
    }
}

static __attribute__((noinline)) void mark_read(struct range *range, uintptr_t addr, uintptr_t end)
{
    mark_bytes(range, addr, end, false);
}

static __attribute__((noinline)) void mark_written(struct range *range, uintptr_t addr,
                                                   uintptr_t end)
{
    mark_bytes(range, addr, end, true);
}

/* In two functions, because the rules differ for reads and writes (marks.h). */
static inline void mark(struct range *range, uintptr_t addr, uintptr_t end)
{
    if (range->mine & SM_MARK_WRITE)
        mark_written(range, addr, end);
    else
        mark_read(range, addr, end);
}

/* `count` granules, or accesses of another size, `step` bytes apart. */
struct grid {
    uintptr_t addr;
    uint64_t count, step;
};

static void mark_few(struct range *range, const struct grid *grid, size_t size)
{
    if (grid->step == size)
        mark(range, grid->addr, grid->addr + grid->count * size);
    else
        for (uint64_t i = 0; i < grid->count; i++)
            mark(range, grid->addr + i * grid->step, grid->addr + i * grid->step + size);
}

/* ---- many granules, claimed: often in the same state ---- */

enum sm_stores { SM_STORE_LOCKED, SM_STORE_ALL, SM_STORE_LANE }; /* LANE + i: lane i alone */

/* How the last whole granule changed that got this mark: whatever the thread has acquired since,
   another granule in that state changes in the same way. */
struct pattern {
    struct sm_cell from, to;
    uint32_t mine; /* 0: no pattern */
    enum sm_stores stores;
};
/* Kept from one range to the next: reads, writes. */
static __thread struct pattern patterns[2];

static bool is_own(const struct sm_detect_thread *thread, uint32_t mark)
{
    return !mark || sm_mark_of_run(mark) || sm_mark_is_own(thread, mark);
}

/* With which stores a claimant may change a granule. Where other threads have marks, it stores to a
   single lane that is not theirs: they may be renewing their marks (sm_marks_quick), or their
   marks may be being removed (window.c). */
static enum sm_stores stores_of(const struct sm_detect_thread *thread,
                                const struct pattern *pattern)
{
    unsigned changed = 0, others = 0, lane = 0;
    for (unsigned i = 0; i < SM_MARKS; i++) {
        uint32_t from = sm_cell_mark(&pattern->from, i);
        others += !is_own(thread, from);
        if (from != sm_cell_mark(&pattern->to, i)) {
            changed++;
            lane = i;
        }
    }
    if (changed == 1 && is_own(thread, sm_cell_mark(&pattern->from, lane)))
        return SM_STORE_LANE + lane;
    return others ? SM_STORE_LOCKED : SM_STORE_ALL;
}

/* What the stores of `pattern` do not change is changed by a locked instruction while changes are
   to be exact (marks.h), so that others that do so see the claim. */
static bool change(struct sm_cell *cell, struct sm_cell seen, struct sm_cell next)
{
    return sm_own.exact ? sm_cell_replace(cell, seen, next) : sm_cell_change(cell, seen, next);
}

/* False if the access must wait for the end of the claim, because a claimant acquires no lock. */
static __attribute__((noinline)) bool other_granule(struct range *range, struct pattern *pattern,
                                                    struct sm_cell *cell)
{
    struct sm_cell seen, next;
    do {
        next = seen = sm_cell_load(cell);
        enum sm_applied applied = sm_cell_mark(&seen, 0) >= SM_MARK_STATES
                                      ? SM_MARKS_OTHER
                                      : sm_marks_apply(range->thread, range->mine, &next);
        if (applied != SM_MARKS_CHANGED)
            return applied == SM_MARKS_THERE;
    } while (!change(cell, seen, next));
    *pattern = (struct pattern){seen, next, range->mine, SM_STORE_LOCKED};
    pattern->stores = stores_of(range->thread, pattern);
    range->changed = true;
    return true;
}

/* The quick path, by a claimant. If a single lane changes, and no other thread has it, the next
   granules may do the same. */
static bool quick_granule(struct range *range, struct pattern *pattern, struct sm_cell *cell)
{
    struct sm_change change;
    uint32_t mine = range->mine;
    bool write = mine & SM_MARK_WRITE;
    if (!(write ? sm_marks_plan(range->thread, mine, true, cell, &change)
                : sm_marks_plan(range->thread, mine, false, cell, &change)))
        return false;
    sm_change_store(&change, cell);
    range->changed = true;
    if (!change.emptied && is_own(range->thread, sm_cell_mark(&change.from, change.lane))) {
        *pattern = (struct pattern){change.from, change.from, mine, SM_STORE_LANE + change.lane};
        pattern->to.mark[change.lane] = change.mark;
    }
    return true;
}

static inline bool granule(struct range *range, struct pattern *pattern, struct sm_cell *cell)
{
    struct sm_cell seen = sm_cell_load(cell);
    bool alike = seen.half[0] == pattern->from.half[0] && seen.half[1] == pattern->from.half[1] &&
                 change(cell, seen, pattern->to);
    range->changed |= alike;
    return alike || quick_granule(range, pattern, cell) || other_granule(range, pattern, cell);
}

static inline bool is_all(const struct sm_cell *cell, __m128i marks)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_load_si128((const __m128i *)cell), marks)) ==
           0xffff;
}

/* The stores of a claimant, to neighbours in the same state as the last granule changed. Returns
   how many it marked. */
static uint64_t mark_alike(const struct pattern *pattern, struct sm_cell *cell, uint64_t count,
                           uint64_t cells)
{
    __m128i from = _mm_load_si128((const __m128i *)&pattern->from);
    __m128i to = _mm_load_si128((const __m128i *)&pattern->to);
    unsigned lane = pattern->stores >= SM_STORE_LANE ? pattern->stores - SM_STORE_LANE : 0;
    uint32_t mark = pattern->to.mark[lane];
    uint64_t i = 0;
    if (pattern->stores == SM_STORE_ALL)
        for (; i < count && is_all(cell, from); i++, cell += cells)
            _mm_store_si128((__m128i *)cell, to);
    else if (pattern->stores >= SM_STORE_LANE)
        for (; i < count && is_all(cell, from); i++, cell += cells)
            __atomic_store_n(&cell->mark[lane], mark, __ATOMIC_RELAXED);
    return i;
}

/* The number of leading granules that already have the mark. */
static uint64_t count_marked(const struct range *range, const struct sm_cell *cell, uint64_t count,
                             uint64_t cells)
{
    uint64_t n = 0;
    while (n < count && is_marked(range->mine, cell + n * cells))
        n++;
    return n;
}

/* False if some granules are left. */
static bool mark_claimed(struct range *range, struct pattern *pattern, const struct grid *grid)
{
    uint64_t cells = grid->step / 8;
    struct sm_cell *cell = sm_cell_of(grid->addr);
    bool done = true;
    for (uint64_t i = 0, n; i < grid->count; i += n) {
        struct sm_cell *at = cell + i * cells;
        uint64_t left = grid->count - i;
        n = mark_alike(pattern, at, left, cells);
        range->changed |= n > 0;
        if (!n)
            n = count_marked(range, at, left, cells);
        if (!n) {
            done &= granule(range, pattern, at);
            n = 1;
        }
    }
    return done;
}

/* A signal handler that interrupts a range does not use the pattern. */
static bool mark_by_pattern(struct range *range, const struct grid *grid)
{
    struct pattern *last = &patterns[range->kind & SM_ACCESS_WRITE], pattern = *last;
    if (pattern.mine != range->mine || range->outer)
        pattern.from.mark[0] = SM_MARK_NO_CELL;
    bool done = mark_claimed(range, &pattern, grid);
    if (!range->outer)
        *last = pattern;
    return done;
}

/* Accesses of a signal handler are not checked meanwhile: they would not see the claim of their own
   thread. */
static bool claim_and_mark(struct range *range, const struct grid *grid)
{
    unsigned lane = sm_own.lane;
    struct sm_cell *first = sm_cell_of(grid->addr);
    struct sm_cell *last = sm_cell_of(grid->addr + (grid->count - 1) * grid->step);
    if (last < first || !sm_claim_begin(lane, first, last))
        return false;
    range->thread->ignored++;
    bool done = mark_by_pattern(range, grid);
    range->thread->ignored--;
    sm_claim_end(lane);
    return done;
}

/* Limits for a claim. It must pay for its locked instruction and for fetching the cache line of the
   claims from another core, which all threads read: with claims of 24 granules a slab allocator
   took 1.4 times as long. And no thread should wait for it long. */
enum { CLAIM_LEAST = 64, CLAIM_MOST = 1024 };

static void granules(struct range *range, struct grid grid)
{
    uint64_t left = grid.count;
    for (; left; left -= grid.count, grid.addr += grid.count * grid.step) {
        grid.count = left < CLAIM_MOST ? left : CLAIM_MOST;
        if (grid.count < CLAIM_LEAST || !claim_and_mark(range, &grid))
            mark_few(range, &grid, 8);
    }
}

/* ---- ranges ---- */

static void contiguous(struct range *range)
{
    uintptr_t end = range->addr + range->size;
    uintptr_t first = (range->addr + 7) & ~7ul, last = end & ~7ul;
    if (range->size < 8ul * CLAIM_LEAST) {
        mark(range, range->addr, end);
        return;
    }
    mark(range, range->addr, first);
    granules(range, (struct grid){first, (last - first) / 8, 8});
    mark(range, last, end);
}

static void spaced(struct range *range, uint64_t count, uint64_t step)
{
    struct grid grid = {range->addr, count, step};
    uint32_t size = range->site->size;
    if (size == 8 && range->addr % 8 == 0 && step % 8 == 0)
        granules(range, grid);
    else
        mark_few(range, &grid, size);
}

static void striped(struct range *range)
{
    const struct sm_words *words = range->words;
    uint64_t count = (range->size - 8 * words->n) / words->step + 1;
    for (uint64_t i = 0; i < words->n; i++) {
        range->site = words->sites[i];
        granules(range, (struct grid){range->addr + 8 * i, count, words->step});
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
    };
    if (!sm_marking_begin(thread, &range->outer)) {
        sm_marking_end(thread, range->outer);
        return false;
    }
    return true;
}

static void finish(struct range *range)
{
    if (range->changed)
        tell(range);
    sm_marking_end(range->thread, range->outer);
}

/* ---- ranges that were checked a moment ago ----
 * Nested loops go over the same rows again and again. What a thread has marked in this epoch stays
 * marked, or was overwritten by an access that was checked against the mark; so a range within one
 * that was checked in this epoch needs no check. Newly allocated memory has no marks:
 * sm_ranges_forget. */

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

/* Accesses of the site's size, `step` bytes apart; step 0: all bytes. */
struct accesses {
    const struct sm_site *site;
    uint64_t step;
    unsigned kind;
};

/* Does the range checked in this epoch overlap these accesses or border on them? */
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

/* Checks all but those already checked: the parts before and behind them. In a stencil each row is
   read as the middle, upper and lower row, each time one element more or less. */
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

/* Ranges written in this epoch need no check for reads. */
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

/* For stripes the entry is chosen by loop: their length and distance are part of `words`. */
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

static inline uint32_t mark_of_bytes(uint32_t whole, uintptr_t addr, uintptr_t end)
{
    return (whole & ~SM_MARK_BYTES) | sm_byte_mask(addr, (uint32_t)(end - addr));
}

/* Where the first granule begins, or `addr`, of which this thread has not made the access in this
   epoch: of a buffer that is used again and again there is mostly none, and a call of 64 bytes then
   takes half of the time. */
static inline uintptr_t skip_marked(uintptr_t addr, uintptr_t end, unsigned kind)
{
    uint32_t whole = sm_mark_of(sm_own.epoch, kind & SM_ACCESS_WRITE, SM_MARK_BYTES);
    uintptr_t first = (addr + 7) & ~7ul;
    first = first < end ? first : end;
    if (addr < first && !is_marked(mark_of_bytes(whole, addr, first), sm_cell_of(addr)))
        return addr;
    for (addr = first; addr + 8 <= end; addr += 8)
        if (!is_marked(whole, sm_cell_of(addr)))
            return addr;
    bool rest = addr < end && is_marked(mark_of_bytes(whole, addr, end), sm_cell_of(addr));
    return rest ? end : addr;
}

void sm_check_range(const void *place, size_t size, unsigned kind, const struct sm_site *site)
{
    struct range range;
    uintptr_t addr = (uintptr_t)place, end = addr + size;
    if (!(kind & SM_ACCESS_FREE))
        addr = skip_marked(addr, end, kind);
    if (!begin(&range, addr, end - addr, kind, site))
        return;
    range.changed = kind & SM_ACCESS_FREE; /* the last access, also where it adds no mark */
    contiguous(&range);
    finish(&range);
}
