/* Why a read is legal, on executions of a few records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above first */
#include <cmocka.h>

#include "core/order.h"
#include "findings/why.h"

enum { X = 0x1000, Y = 0x2000, LOCK = 0x3000, Z = 0x4000 };

/* All accesses are to variables lied about. */
static struct sm_record access_to(uint8_t kind, uint32_t thread, uint64_t addr, uint64_t value,
                                  uint64_t rf)
{
    return (struct sm_record){.kind = kind,
                              .size = 4,
                              .flags = SM_RECORD_LIED,
                              .thread = thread,
                              .site = SM_NO_SITE,
                              .addr = addr,
                              .value = value,
                              .rf = rf};
}

static struct sm_record store(uint32_t thread, uint64_t addr, uint64_t value)
{
    return access_to(SM_EV_STORE, thread, addr, value, SM_RF_NONE);
}

static struct sm_record load(uint32_t thread, uint64_t addr, uint64_t value, uint64_t rf)
{
    return access_to(SM_EV_LOAD, thread, addr, value, rf);
}

static struct sm_record sync_event(uint8_t kind, uint32_t thread, uint64_t addr, uint64_t aux)
{
    return (struct sm_record){.kind = kind,
                              .thread = thread,
                              .site = SM_NO_SITE,
                              .addr = addr,
                              .old = aux,
                              .rf = SM_RF_NONE};
}

/* Two threads, begun by thread 0, and then the given records: their numbers begin at 4. */
enum { FIRST = 4 };
static struct sm_why explain(enum sm_model_id model, const struct sm_record *body, size_t n,
                             size_t of)
{
    struct sm_record records[32] = {
        sync_event(SM_EV_SPAWN, 0, 0, 1), sync_event(SM_EV_SPAWN, 0, 0, 2),
        sync_event(SM_EV_BEGIN, 1, 0, 0), sync_event(SM_EV_BEGIN, 2, 0, 0)};
    for (size_t i = 0; i < n; i++)
        records[FIRST + i] = body[i];
    struct sm_witness witness = {
        .options.model = model, .records = records, .n_records = FIRST + n};
    struct sm_reasons *reasons = sm_reasons_open(&witness);
    struct sm_why why = sm_why(reasons, FIRST + of);
    sm_reasons_close(reasons);
    assert_int_equal(why.lines.n > 0, why.kind != SM_WHY_NOT);
    sm_list_free(&why.lines);
    return why;
}
#define EXPLAIN(model, of, ...)                                                                    \
    explain(model, (struct sm_record[]){__VA_ARGS__},                                              \
            sizeof(struct sm_record[]){__VA_ARGS__} / sizeof(struct sm_record), of)

static void relayed(void **state)
{
    (void)state;
    struct sm_why why = EXPLAIN(SM_MODEL_C11, 3, store(1, X, 1), store(1, Y, 1),
                                load(2, Y, 1, FIRST + 1), load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_RELAYED);
    assert_int_equal(why.from, FIRST);
    assert_int_equal(why.to, FIRST + 3);
    assert_int_equal(why.release, FIRST + 1);
    assert_int_equal(why.acquire, FIRST + 2);
}

/* The flag is what was read first. */
static void relayed_first(void **state)
{
    (void)state;
    struct sm_why why =
        EXPLAIN(SM_MODEL_C11, 5, store(1, X, 1), store(1, Z, 1), store(1, Y, 1),
                load(2, Y, 1, FIRST + 2), load(2, Z, 1, FIRST + 1), load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_RELAYED);
    assert_int_equal(why.release, FIRST + 2);
    assert_int_equal(why.acquire, FIRST + 3);
}

/* Store buffering; and its twin, in which one of the two has seen the other's store. */
static void crossed(void **state)
{
    (void)state;
    struct sm_why why = EXPLAIN(SM_MODEL_C11, 3, store(1, X, 1), load(1, Y, 0, SM_RF_INITIAL),
                                store(2, Y, 1), load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_CROSSED);
    why = EXPLAIN(SM_MODEL_C11, 3, store(1, X, 1), store(2, Y, 1), load(1, Y, 1, FIRST + 1),
                  load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_UNORDERED);
}

static void unordered(void **state)
{
    (void)state;
    struct sm_why why =
        EXPLAIN(SM_MODEL_C11, 2, store(1, X, 1), store(1, Y, 1), load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_UNORDERED);
    assert_int_equal(why.from, FIRST);
}

static void coherence(void **state)
{
    (void)state;
    struct sm_why why =
        EXPLAIN(SM_MODEL_HB, 2, store(1, X, 1), load(2, X, 1, FIRST), load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.kind, SM_WHY_COHERENCE);
    assert_int_equal(why.acquire, FIRST + 1);
}

static void buffered(void **state)
{
    (void)state;
    struct sm_record delayed = store(1, X, 1), flush = access_to(SM_EV_FLUSH, 1, X, 1, FIRST);
    delayed.flags |= SM_RECORD_DELAYED;
    struct sm_why why = EXPLAIN(SM_MODEL_TSO, 1, delayed, load(2, X, 0, SM_RF_INITIAL), flush);
    assert_int_equal(why.kind, SM_WHY_BUFFERED);
    assert_int_equal(why.acquire, FIRST + 2);
    why = EXPLAIN(SM_MODEL_TSO, 1, delayed, load(2, X, 0, SM_RF_INITIAL));
    assert_int_equal(why.acquire, FIRST + 2); /* n_records: it never leaves */
}

static void future(void **state)
{
    (void)state;
    struct sm_record early = load(1, X, 1, FIRST + 1);
    early.flags |= SM_RECORD_FUTURE;
    struct sm_why why = EXPLAIN(SM_MODEL_HB, 0, early, store(2, X, 1));
    assert_int_equal(why.kind, SM_WHY_FUTURE);
    assert_int_equal(why.from, FIRST);
    assert_int_equal(why.to, FIRST + 1);
}

static void race(void **state)
{
    (void)state;
    struct sm_why why = EXPLAIN(SM_MODEL_SC, 1, store(1, X, 1), load(2, X, 1, FIRST));
    assert_int_equal(why.kind, SM_WHY_RACE);
    assert_int_equal(why.from, FIRST);
}

/* The twins: ordered by a lock; reads only; one thread; the newest value. */
static void nothing(void **state)
{
    (void)state;
    assert_int_equal(EXPLAIN(SM_MODEL_SC, 4, sync_event(SM_EV_LOCK, 1, LOCK, 0), store(1, X, 1),
                             sync_event(SM_EV_UNLOCK, 1, LOCK, 0),
                             sync_event(SM_EV_LOCK, 2, LOCK, 0), load(2, X, 1, FIRST + 1))
                         .kind,
                     SM_WHY_NOT);
    assert_int_equal(
        EXPLAIN(SM_MODEL_SC, 1, load(1, X, 0, SM_RF_INITIAL), load(2, X, 0, SM_RF_INITIAL)).kind,
        SM_WHY_NOT);
    assert_int_equal(EXPLAIN(SM_MODEL_HB, 1, store(1, X, 1), load(1, X, 1, FIRST)).kind,
                     SM_WHY_NOT);
    assert_int_equal(EXPLAIN(SM_MODEL_SC, 1, store(1, X, 1), sync_event(SM_EV_END, 1, 0, 0)).kind,
                     SM_WHY_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relayed),   cmocka_unit_test(relayed_first), cmocka_unit_test(crossed),
        cmocka_unit_test(unordered), cmocka_unit_test(coherence),     cmocka_unit_test(buffered),
        cmocka_unit_test(future),    cmocka_unit_test(race),          cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
