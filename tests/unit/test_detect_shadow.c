/*
 * Inline paths, cells, epochs, clocks and records of the detect flavour together, on one kernel
 * thread that plays several: random accesses of all sizes and kinds and random synchronisation,
 * until the first race of a piece of memory, which a reference that keeps every access must see at
 * the same moment. (What comes after the first race may be masked by it.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../abi/site.h"
#include "../../native/counters.h"
#include "../../native/kept.h"
#include "../../native/marks.h"
#include "../../native/paths.h"
#include "../../native/record.h"
#include "../../native/report.h"
#include "../../native/shadow.h"
#include "../../native/sync.h"
#include "../../native/window.h"
#include "../../plugin/fast/detect_paths.c"

enum { THREADS = 5, OBJECTS = 3, BYTES = 24, STEPS = 60, ROUNDS = 40000 };

uint64_t sm_counts[SM_DETECT_COUNTERS];

void sm_reports_lock(void) {}

void sm_reports_unlock(void) {}

/* ---- what is found ---- */

static struct {
    uintptr_t low;
    bool raced;
    struct sm_collision race;
} found;

void sm_race_found(const struct sm_collision *race)
{
    if (race->addr < found.low || race->addr >= found.low + BYTES || found.raced)
        return; /* of an earlier round: looked at again before a release */
    found.raced = true;
    found.race = *race;
}

/* ---- threads ---- */

static struct sm_detect_thread *threads[THREADS];
static struct sm_own owns[THREADS];
static unsigned running;

static void run(unsigned thread)
{
    owns[running] = sm_own;
    running = thread;
    sm_own = owns[thread];
    sm_current = threads[thread];
}

static int start(void **state)
{
    (void)state;
    sm_shadow_map();
    sm_window_init();
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = sm_thread_new(NULL);
        sm_thread_enter(threads[i]);
        owns[i] = sm_own;
        running = i;
    }
    return 0;
}

/* ---- the reference ---- */

struct access {
    unsigned thread, offset, size, kind;
    uint32_t time;
};

static struct {
    uint32_t clock[THREADS][THREADS], object[OBJECTS][THREADS];
    struct access accesses[STEPS];
    unsigned n;
} reference;

static void join(uint32_t *to, const uint32_t *from)
{
    for (unsigned i = 0; i < THREADS; i++)
        if (from[i] > to[i])
            to[i] = from[i];
}

static bool races_with(const struct access *old, const struct access *new)
{
    return old->thread != new->thread &&
           old->offset < new->offset + new->size &&new->offset < old->offset + old->size &&
           ((old->kind | new->kind) & SM_ACCESS_WRITE) &&
           !(old->kind & new->kind &SM_ACCESS_ATOMIC) &&
           old->time > reference.clock[new->thread][old->thread];
}

/* Does it race with an access of that thread (THREADS: of any)? */
static bool expected(const struct access *new, unsigned thread)
{
    for (unsigned i = 0; i < reference.n; i++)
        if (races_with(&reference.accesses[i], new) &&
            (thread == THREADS || reference.accesses[i].thread == thread))
            return true;
    return false;
}

/* ---- steps ---- */

static uint64_t objects[OBJECTS];
static uint64_t random_state = 222;

static unsigned below(unsigned n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random_state >> 33) % n);
}

static void release(unsigned thread, unsigned object)
{
    sm_release(&objects[object], SM_KEY_NOTE);
    join(reference.object[object], reference.clock[thread]);
    reference.clock[thread][thread]++;
}

static void acquire(unsigned thread, unsigned object)
{
    sm_acquire(&objects[object], SM_KEY_NOTE);
    join(reference.clock[thread], reference.object[object]);
}

static struct access random_access(unsigned thread)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 4, 8, 3, 16, 24, 13};
    struct access access = {.thread = thread,
                            .size = sizes[below(10)],
                            .time = reference.clock[thread][thread],
                            .kind = below(2) ? SM_ACCESS_WRITE : 0};
    bool aligned = below(4) != 0 && access.size != 3 && access.size != 13;
    access.offset = below(BYTES - access.size + 1);
    if (aligned)
        access.offset -= access.offset % (access.size < 16 ? access.size : 8);
    if (aligned && access.size <= 8 && below(5) == 0)
        access.kind |= SM_ACCESS_ATOMIC;
    return access;
}

/* Neighbours, or what libc accesses. */
static void take_long_path(uintptr_t addr, const struct sm_site *site)
{
    static _Alignas(8) char room[sizeof(struct sm_words) + 3 * sizeof(struct sm_site *)];
    struct sm_words *words = (struct sm_words *)(void *)room;
    bool write = site->kind == SM_SITE_STORE;
    words->n = site->size / 8;
    for (unsigned i = 0; i < words->n; i++)
        words->sites[i] = site;
    if (addr % 8 || site->size % 8 || below(2))
        sm_check_range((const void *)addr, site->size, write ? SM_ACCESS_WRITE : 0, site);
    else
        write ? sm_write_words(addr, words) : sm_read_words(addr, words);
}

/* As the pass has it done: by the path of its size if it is aligned. */
static void take_path(uintptr_t addr, const struct sm_site *site)
{
    bool write = site->kind == SM_SITE_STORE;
    uint32_t align = site->size < 8 ? site->size : 8;
    if (site->size > 8 && (site->size != 16 || below(2)))
        take_long_path(addr, site);
    else if (site->size == 3 || addr % align)
        write ? sm_inline_write_any(addr, site->size, site)
              : sm_inline_read_any(addr, site->size, site);
    else if (site->size == 1)
        write ? sm_inline_write1(addr, site) : sm_inline_read1(addr, site);
    else if (site->size == 2)
        write ? sm_inline_write2(addr, site) : sm_inline_read2(addr, site);
    else if (site->size == 4)
        write ? sm_inline_write4(addr, site) : sm_inline_read4(addr, site);
    else if (site->size == 8)
        write ? sm_inline_write8(addr, site) : sm_inline_read8(addr, site);
    else
        write ? sm_inline_write16(addr, site) : sm_inline_read16(addr, site);
}

static bool exact; /* cells are changed by locked instructions, by ordinary stores otherwise */

static void make_access(const struct access *access)
{
    sm_own.exact = exact ? 1000 : 0;
    static struct sm_site sites[2][BYTES + 1];
    bool write = access->kind & SM_ACCESS_WRITE;
    struct sm_site *site = &sites[write][access->size];
    site->kind = write ? SM_SITE_STORE : SM_SITE_LOAD;
    site->size = access->size;
    if ((access->kind & SM_ACCESS_ATOMIC) || below(4) == 0)
        sm_check(found.low + access->offset, access->size, access->kind, site);
    else
        take_path(found.low + access->offset, site);
}

static void check_access(unsigned thread)
{
    struct access access = random_access(thread);
    make_access(&access);
    assert_int_equal(found.raced, expected(&access, THREADS));
    if (found.raced) {
        uint32_t other = sm_thread_of_epoch(found.race.other_epoch)->id;
        assert_true(expected(&access, other));
        assert_true(found.race.addr >= found.low + access.offset);
        assert_true(found.race.addr + found.race.size <= found.low + access.offset + access.size);
    }
    reference.accesses[reference.n++] = access;
}

/* Out of 100 accesses `ordered` are made under a lock. False when the round is over. */
static bool step(unsigned ordered)
{
    unsigned thread = below(THREADS);
    run(thread);
    if (below(100) >= ordered) {
        check_access(thread);
    } else {
        acquire(thread, 0);
        check_access(thread);
        release(thread, 0);
    }
    bool raced = found.raced;
    if (below(2))
        acquire(thread, below(OBJECTS));
    else
        release(thread, below(OBJECTS));
    assert_int_equal(found.raced, raced); /* looking again finds nothing new */
    return !raced;
}

static void test_first_races(void **state)
{
    (void)state;
    static _Alignas(64) char memory[ROUNDS][64];
    unsigned races = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        exact = round % 4 == 0;
        found.low = (uintptr_t)memory[round];
        found.raced = false;
        reference.n = 0;
        for (unsigned i = 0, ordered = 20 * below(6); i < STEPS && step(ordered); i++)
            ;
        races += found.raced;
    }
    assert_true(races > ROUNDS / 2 && races < ROUNDS - ROUNDS / 10);
}

/* Of many releases each has an epoch of its own, and each epoch knows its thread and time. */
static void test_epochs(void **state)
{
    (void)state;
    uint32_t before = 0;
    for (unsigned i = 0; i < 5 * THREADS * SM_EPOCH_BLOCK; i++) {
        unsigned thread = i % THREADS;
        run(thread);
        uint32_t time = sm_epoch_time(sm_own.epoch);
        assert_ptr_equal(sm_thread_of_epoch(sm_own.epoch), threads[thread]);
        sm_epoch_advance(threads[thread]);
        assert_int_equal(sm_epoch_time(sm_own.epoch), time + 1);
        assert_int_not_equal(sm_own.epoch, before);
        before = sm_own.epoch;
    }
}

/* ---- marks that every thread has seen ---- */

/* Each thread reads the first bytes of the word, one in each epoch: more marks than a cell has. */
static void fill(uint64_t *word)
{
    static struct sm_site site = {.kind = SM_SITE_LOAD, .size = 1};
    found.low = (uintptr_t)word;
    found.raced = false;
    for (unsigned i = 0; i < 3 * THREADS; i++) {
        run(i % THREADS);
        sm_inline_read1((uintptr_t)word + i / THREADS, &site);
        sm_epoch_advance(threads[i % THREADS]);
    }
    assert_int_equal(sm_cell_state(sm_cell_of((uintptr_t)word)), SM_MARK_LIST);
}

/* All but `without` see what every thread has done so far. */
static void order_all(unsigned without)
{
    for (unsigned i = 0; i < 2 * THREADS; i++) {
        run(i % THREADS);
        if (i < THREADS)
            sm_release(&objects[1], SM_KEY_NOTE);
        else if (i % THREADS != without)
            sm_acquire(&objects[1], SM_KEY_NOTE);
    }
}

static void access_word(unsigned thread, uint64_t *word, bool write);

/* Marks that every live thread has seen are dropped, and the granule goes back to its cell. */
static void test_settled(void **state)
{
    (void)state;
    static uint64_t word;
    fill(&word);
    order_all(THREADS);
    access_word(0, &word, false);
    assert_int_not_equal(sm_cell_state(sm_cell_of((uintptr_t)&word)), SM_MARK_LIST);
    assert_false(found.raced);
    access_word(1, &word, true); /* the read of thread 0 is still there */
    assert_true(found.raced);
}

/* ---- marks of one thread that dominate each other ---- */

static void expect_cell(struct sm_cell cell, const uint32_t *marks)
{
    sm_cell_compact(&cell);
    for (unsigned i = 0; i < SM_MARKS; i++)
        assert_int_equal(cell.mark[i], marks[i]);
}

static void test_compact(void **state)
{
    (void)state;
    run(0);
    uint32_t old = sm_own.epoch;
    sm_epoch_advance(threads[0]);
    uint32_t now = sm_own.epoch;
    run(1);
    uint32_t other = sm_own.epoch;
    /* A later access takes the bytes that it dominates, and no others; a read takes no write's. */
    expect_cell((struct sm_cell){.mark = {sm_mark_of(old, true, 0x0f), sm_mark_of(now, true, 0x3c),
                                          sm_mark_of(old, false, 0xf0), 0}},
                (uint32_t[]){sm_mark_of(old, true, 0x03), sm_mark_of(now, true, 0x3c),
                             sm_mark_of(old, false, 0xc0), 0});
    expect_cell((struct sm_cell){.mark = {sm_mark_of(old, true, 0x0f), sm_mark_of(now, false, 0x0f),
                                          sm_mark_of(old, false, 0x0f), 0}},
                (uint32_t[]){sm_mark_of(old, true, 0x0f), sm_mark_of(now, false, 0x0f), 0, 0});
    /* In one epoch a write covers reads, and alike marks become one. */
    expect_cell((struct sm_cell){.mark = {sm_mark_of(now, false, 0xff), sm_mark_of(now, true, 0x0f),
                                          0, sm_mark_of(now, true, 0x30)}},
                (uint32_t[]){sm_mark_of(now, false, 0xc0), 0, 0, sm_mark_of(now, true, 0x3f)});
    /* Accesses of another thread may be unordered. */
    const uint32_t others[] = {sm_mark_of(old, true, 0xff), sm_mark_of(other, true, 0xff),
                               sm_mark_of(other, false, 0x0f), 0};
    struct sm_cell cell;
    memcpy(&cell, others, sizeof cell);
    expect_cell(cell, (uint32_t[]){others[0], others[1], 0, 0});
}

/* Four marks of a thread, one of them dominated by two others: its next access needs no record, and
   another thread races with each byte. */
static void test_full_cell(void **state)
{
    (void)state;
    static uint64_t words[8];
    static struct sm_site site = {.kind = SM_SITE_STORE, .size = 1};
    uint32_t epochs[3];
    run(0);
    for (unsigned i = 0; i < 3; i++) {
        epochs[i] = sm_own.epoch;
        sm_epoch_advance(threads[0]);
    }
    for (unsigned byte = 0; byte < 8; byte++) {
        found.low = (uintptr_t)&words[byte];
        found.raced = false;
        *sm_cell_of(found.low) = (struct sm_cell){
            .mark = {sm_mark_of(epochs[0], true, 0x3f), sm_mark_of(epochs[1], true, 0x30),
                     sm_mark_of(epochs[1], true, 0x0f), sm_mark_of(epochs[2], true, 0xc0)}};
        run(0);
        sm_inline_write1(found.low + 6, &site);
        assert_int_not_equal(sm_cell_state(sm_cell_of(found.low)), SM_MARK_LIST);
        run(1);
        sm_inline_read1(found.low + byte, &site);
        assert_true(found.raced);
        if (byte != 6)
            assert_int_equal(found.race.other_epoch, epochs[byte < 6 ? 1 : 2]);
    }
}

/* A thread that has written all but the last byte, or all but the first, writes all: the byte that
   was left out is marked, too. */
static void test_unaligned(void **state)
{
    (void)state;
    static uint64_t words[2 * 4 * 8][3];
    static struct sm_site sites[17];
    uint64_t(*word)[3] = words;
    for (unsigned size = 2; size <= 16; size *= 2)
        for (unsigned offset = 0; offset < 8; offset++)
            for (unsigned last = 0; last < 2; last++, word++) {
                struct sm_site *site = &sites[size];
                *site = (struct sm_site){.kind = SM_SITE_STORE, .size = (uint16_t)size};
                found.low = (uintptr_t)*word;
                found.raced = false;
                run(0);
                sm_check(found.low + offset + !last, size - 1, SM_ACCESS_WRITE, site);
                sm_inline_write_any(found.low + offset, size, site);
                run(1);
                sm_check(found.low + offset + (last ? size - 1 : 0), 1, 0, site);
                assert_true(found.raced);
            }
}

/* One thread has not seen them: they stay, and it races with them. */
static void test_not_settled(void **state)
{
    (void)state;
    static uint64_t word;
    fill(&word);
    order_all(THREADS - 1);
    access_word(0, &word, false);
    assert_int_equal(sm_cell_state(sm_cell_of((uintptr_t)&word)), SM_MARK_LIST);
    access_word(THREADS - 1, &word, false);
    assert_false(found.raced);
    access_word(THREADS - 1, &word, true);
    assert_true(found.raced);
}

/* It waits for the end of one that has: what it does next comes after them. */
static void test_settled_by_join(void **state)
{
    (void)state;
    static uint64_t word;
    fill(&word);
    order_all(THREADS - 1);
    run(THREADS - 1);
    sm_thread_joins(threads[0]);
    access_word(0, &word, false);
    assert_int_not_equal(sm_cell_state(sm_cell_of((uintptr_t)&word)), SM_MARK_LIST);
    run(THREADS - 1);
    sm_thread_joins(NULL);
    assert_false(found.raced);
}

/* ---- memory that is used again ---- */

/* Large memory is cleared by regions: a record in the middle goes with the rest. */
static void test_large_memory(void **state)
{
    (void)state;
    enum { WORDS = 1 << 16, ROUNDS_HERE = 3 };
    static uint64_t words[WORDS];
    uint32_t before = sm_n_records;
    for (unsigned i = 0; i < ROUNDS_HERE; i++) {
        for (unsigned word = 0; word < WORDS; word += 7919) {
            sm_release(&words[word], SM_KEY_NOTE);
            assert_int_equal(sm_cell_state(sm_cell_of((uintptr_t)&words[word])), SM_MARK_LIST);
        }
        sm_shadow_clear((uintptr_t)words, sizeof words);
        for (unsigned word = 0; word < WORDS; word += 7919)
            assert_int_equal(sm_cell_state(sm_cell_of((uintptr_t)&words[word])), 0);
    }
    assert_in_range(sm_n_records, before, before + WORDS / 7919 + 1); /* they are used again */
}

/* ---- short epochs are used again ---- */

static void access_word(unsigned thread, uint64_t *word, bool write)
{
    static struct sm_site sites[2] = {{.kind = SM_SITE_LOAD, .size = 8},
                                      {.kind = SM_SITE_STORE, .size = 8}};
    run(thread);
    write ? sm_inline_write8((uintptr_t)word, &sites[1])
          : sm_inline_read8((uintptr_t)word, &sites[0]);
}

/* No thread gets the last short epoch, which stands for states (cell.h). */
static void advance(unsigned thread, unsigned n)
{
    run(thread);
    for (unsigned i = 0; i < n; i++) {
        sm_epoch_advance(threads[thread]);
        assert_int_not_equal(sm_own.epoch % SM_SHORT_EPOCHS, SM_SHORT_EPOCHS - 1);
    }
}

/* After many releases a thread has a long run of epochs. Its marks are known by the bounds of the
   run; those of the others, whose epochs are smaller than its length, are not among them. (The
   first test: later the others have larger ones.) */
static void test_runs(void **state)
{
    (void)state;
    static uint64_t words[2];
    found.low = (uintptr_t)words;
    found.raced = false;
    access_word(0, &words[0], true);
    advance(1, 5 * SM_RUN_BLOCKS / 2 * SM_EPOCH_BLOCK);
    assert_true(sm_own.epoch - sm_mark_epoch(sm_own.first) > owns[0].epoch);
    sm_own.exact = 0;
    access_word(1, &words[1], true);
    sm_epoch_advance(threads[1]);
    access_word(1, &words[1], true);
    assert_int_equal(sm_cell_of((uintptr_t)&words[1])->mark[sm_own.lane],
                     sm_mark_of(sm_own.epoch, true, SM_MARK_BYTES));
    assert_false(found.raced);
    access_word(1, &words[0], true);
    assert_true(found.raced);
}

/* A range of bytes that the thread has marked in this epoch leaves no event and no mark; one byte
   more does. */
static void test_marked_ranges(void **state)
{
    (void)state;
    enum { WORDS = 4, MARKED = 8 * (WORDS - 1) };
    static struct sm_site site = {.kind = SM_SITE_LOAD};
    static uint64_t words[WORDS];
    char *bytes = (char *)words;
    for (unsigned i = 0; i < WORDS - 1; i++)
        access_word(0, &words[i], true);
    uint64_t events = sm_own.history->n;
    for (unsigned from = 0; from < MARKED; from++)
        for (unsigned to = from + 1; to <= MARKED; to++)
            sm_check_range(bytes + from, to - from, 0, &site);
    assert_int_equal(sm_own.history->n, events);
    assert_int_equal(sm_cell_of((uintptr_t)&words[WORDS - 1])->half[0], 0);
    sm_check_range(bytes, MARKED + 1, 0, &site);
    assert_int_equal(sm_own.history->n, events + 2);
}

/* Marks stay for half the window at least, also where their thread's epoch is renewed. */
static void test_window_keeps(void **state)
{
    (void)state;
    static uint64_t words[2];
    found.low = (uintptr_t)words;
    found.raced = false;
    access_word(0, &words[0], true);
    access_word(2, &words[1], true);
    uint32_t epoch = sm_own.epoch;
    advance(1, SM_SHORT_EPOCHS / 2 - 64 * SM_EPOCH_BLOCK);
    assert_false(found.raced);
    access_word(1, &words[0], true);
    assert_true(found.raced);
    advance(1, 2 * SM_SHORT_EPOCHS);
    found.raced = false;
    access_word(2, &words[1], true);
    assert_true(sm_own.epoch > epoch + SM_SHORT_EPOCHS);
    access_word(1, &words[1], true);
    assert_true(found.raced);
}

/* What is ordered is no race, however many epochs ago some of the marks were made. */
static void test_window_moves(void **state)
{
    (void)state;
    enum { WORDS = 4096 };
    static uint64_t words[WORDS];
    uint32_t from = sm_window;
    found.raced = false;
    for (unsigned thread = 0; sm_window - from < 2 * SM_SHORT_EPOCHS; thread = below(THREADS)) {
        run(thread);
        sm_acquire(&objects[0], SM_KEY_NOTE);
        found.low = (uintptr_t)&words[below(WORDS)];
        access_word(thread, (uint64_t *)found.low, below(2));
        advance(thread, 100);
        sm_release(&objects[0], SM_KEY_NOTE);
        assert_false(found.raced);
    }
    assert_true(sm_clocks_exact);
}

/* A thread that the window has left behind begins a new run of epochs. What was left of the old one
   stands for no time of its clock. */
static void test_left_run(void **state)
{
    (void)state;
    static uint64_t word;
    advance(3, 5 * SM_RUN_BLOCKS / 2 * SM_EPOCH_BLOCK);
    uint32_t left = sm_own.epoch;
    advance(1, 2 * SM_SHORT_EPOCHS);
    access_word(3, &word, true);
    assert_true(sm_own.epoch > left + SM_SHORT_EPOCHS);
    for (unsigned i = 0; i < SM_RUN_BLOCKS; i++) {
        advance(3, SM_EPOCH_BLOCK / 3);
        assert_int_equal(sm_epoch_at(threads[3]->slot, sm_epoch_time(sm_own.epoch)), sm_own.epoch);
    }
}

/* ---- data that more threads read than a cell has lanes ---- */

/* Each thread reads the word in many epochs, in an order that changes: marks of the record get new
   epochs, and change places. By an access of its own, or as a range. */
static void reread(uint64_t *word, unsigned rounds)
{
    static struct sm_site site = {.kind = SM_SITE_LOAD};
    for (unsigned i = 0; i < rounds * THREADS; i++) {
        unsigned thread = (i + i / THREADS * 2) % THREADS;
        run(thread);
        if (i / THREADS % 3 == 2)
            sm_check_range(word, sizeof *word, 0, &site);
        else
            access_word(thread, word, false);
        sm_epoch_advance(threads[thread]);
    }
    assert_int_equal(sm_cell_state(sm_cell_of((uintptr_t)word)), SM_MARK_LIST);
}

/* A writer that has seen the reads of all threads but one races with that one. */
static void race_with_rereads(uint64_t *words, unsigned rounds)
{
    for (unsigned without = 0; without < THREADS; without++) {
        unsigned writer = (without + 1) % THREADS;
        found.low = (uintptr_t)&words[without];
        found.raced = false;
        reread(&words[without], rounds + without);
        for (unsigned i = 0; i < THREADS; i++) {
            run(i);
            if (i != without)
                sm_release(&objects[2], SM_KEY_NOTE);
        }
        run(writer);
        sm_acquire(&objects[2], SM_KEY_NOTE);
        access_word(writer, &words[without], true);
        assert_true(found.raced);
        assert_ptr_equal(sm_thread_of_epoch(found.race.other_epoch), threads[without]);
        order_all(THREADS); /* nobody knows more than another in the next round */
    }
}

static void test_reread(void **state)
{
    (void)state;
    static uint64_t words[THREADS];
    race_with_rereads(words, 7);
}

/* ---- reads that their threads keep ---- */

static unsigned kept(uint64_t *word)
{
    const struct sm_granule_record *record = sm_record_find((uintptr_t)word);
    unsigned n = 0;
    for (unsigned i = 0; record && i < THREADS; i++)
        for (unsigned half = 0; half < 2; half++) {
            uint64_t entry =
                *sm_kept_place(threads[i], (uint32_t)(record - sm_records), half ? 0xf0 : 0xf);
            n += entry && entry >> 32 <= owns[i].epoch;
        }
    return n;
}

static void test_kept(void **state)
{
    (void)state;
    static uint64_t words[THREADS], word;
    reread(&word, SM_KEPT_AFTER);
    assert_int_equal(kept(&word), THREADS);
    race_with_rereads(words, SM_KEPT_AFTER);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(kept(&words[i]), 0);
}

/* A write that is ordered after all of them races with none, and neither does what comes then. */
static void test_kept_in_order(void **state)
{
    (void)state;
    static uint64_t word;
    found.low = (uintptr_t)&word;
    found.raced = false;
    for (unsigned writer = 0; writer < THREADS; writer++) {
        order_all(THREADS);
        reread(&word, SM_KEPT_AFTER);
        assert_int_equal(kept(&word), THREADS);
        order_all(THREADS);
        access_word(writer, &word, true);
        assert_int_equal(kept(&word), 0);
    }
    assert_false(found.raced);
}

/* The memory ends and begins anew: what was kept is not about the new. */
static void test_kept_of_freed_memory(void **state)
{
    (void)state;
    static uint64_t word;
    found.low = (uintptr_t)&word;
    found.raced = false;
    reread(&word, SM_KEPT_AFTER);
    sm_record_drop((uintptr_t)&word);
    sm_record_unlock(sm_record_lock((uintptr_t)&word, false)); /* gets the same record */
    assert_int_equal(kept(&word), 0);
    access_word(0, &word, true);
    assert_false(found.raced);
}

/* Fields of a struct that share a granule, read one after the other. */
static void test_kept_halves(void **state)
{
    (void)state;
    static struct sm_site site = {.kind = SM_SITE_LOAD, .size = 4};
    static uint64_t word;
    reread(&word, 1);
    for (unsigned i = 0; i < SM_KEPT_AFTER * THREADS; i++) {
        run(i % THREADS);
        sm_inline_read4((uintptr_t)&word, &site);
        sm_inline_read4((uintptr_t)&word + 4, &site);
        sm_epoch_advance(threads[i % THREADS]);
    }
    assert_int_equal(kept(&word), 2 * THREADS);
    access_word(0, &word, true);
    assert_int_equal(kept(&word), 0);
}

/* A read by the slow path, as libc's are, leaves the other threads' where they are. */
static void test_kept_beside_slow_read(void **state)
{
    (void)state;
    static struct sm_site site = {.kind = SM_SITE_LOAD, .size = 8};
    static uint64_t word;
    found.low = (uintptr_t)&word;
    found.raced = false;
    order_all(THREADS);
    reread(&word, SM_KEPT_AFTER);
    run(0);
    sm_check((uintptr_t)&word, 8, 0, &site);
    assert_int_equal(kept(&word), THREADS);
    access_word(0, &word, true);
    assert_true(found.raced);
    order_all(THREADS);
}

/* A thread that has ended is still raced with. */
static void test_kept_by_ended(void **state)
{
    (void)state;
    static uint64_t word;
    found.low = (uintptr_t)&word;
    found.raced = false;
    order_all(THREADS);
    reread(&word, SM_KEPT_AFTER);
    sm_kept_end(threads[1]);
    assert_int_equal(kept(&word), THREADS - 1);
    for (unsigned i = 0; i < THREADS; i++) {
        run(i);
        if (i != 1)
            sm_release(&objects[2], SM_KEY_NOTE);
    }
    run(0);
    sm_acquire(&objects[2], SM_KEY_NOTE);
    access_word(0, &word, true);
    assert_true(found.raced);
    assert_ptr_equal(sm_thread_of_epoch(found.race.other_epoch), threads[1]);
    order_all(THREADS);
}

/* A thread that reads what it wrote: its write is still there for others to race with. */
static void test_reread_own_write(void **state)
{
    (void)state;
    static uint64_t word;
    found.low = (uintptr_t)&word;
    found.raced = false;
    order_all(THREADS);
    access_word(0, &word, true);
    sm_release(&objects[2], SM_KEY_NOTE);
    for (unsigned i = 1; i < THREADS - 1; i++) {
        run(i);
        sm_acquire(&objects[2], SM_KEY_NOTE);
    }
    for (unsigned i = 0; i < 10 * THREADS; i++)
        if (i % THREADS != THREADS - 1) {
            access_word(i % THREADS, &word, false);
            sm_epoch_advance(threads[i % THREADS]);
        }
    assert_false(found.raced);
    access_word(THREADS - 1, &word, false);
    assert_true(found.raced);
    assert_ptr_equal(sm_thread_of_epoch(found.race.other_epoch), threads[0]);
}

int main(void)
{
    for (unsigned i = 0; i < THREADS; i++)
        reference.clock[i][i] = 1; /* 0 is what nobody has seen */
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs),
                                       cmocka_unit_test(test_first_races),
                                       cmocka_unit_test(test_epochs),
                                       cmocka_unit_test(test_settled),
                                       cmocka_unit_test(test_compact),
                                       cmocka_unit_test(test_full_cell),
                                       cmocka_unit_test(test_unaligned),
                                       cmocka_unit_test(test_not_settled),
                                       cmocka_unit_test(test_settled_by_join),
                                       cmocka_unit_test(test_large_memory),
                                       cmocka_unit_test(test_reread),
                                       cmocka_unit_test(test_reread_own_write),
                                       cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_kept_in_order),
                                       cmocka_unit_test(test_kept_halves),
                                       cmocka_unit_test(test_kept_of_freed_memory),
                                       cmocka_unit_test(test_kept_by_ended),
                                       cmocka_unit_test(test_kept_beside_slow_read),
                                       cmocka_unit_test(test_marked_ranges),
                                       cmocka_unit_test(test_window_keeps),
                                       cmocka_unit_test(test_window_moves),
                                       cmocka_unit_test(test_left_run)};
    return cmocka_run_group_tests(tests, start, NULL);
}
