/* The checker, one behaviour at a time: what the litmus tests and their twin do not reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../checker/check.h"

enum { X = 0x1000, Y = 0x2000, M = 0x3000 };

/* ---- traces, written down ---- */

static struct sm_record trace[64];
static uint32_t length;

static struct sm_record *add(int kind, uint32_t thread)
{
    struct sm_record *r = &trace[length++];
    *r = (struct sm_record){.kind = (uint8_t)kind,
                            .order = SM_ORDER_PLAIN,
                            .thread = thread,
                            .site = SM_NO_SITE,
                            .rf = SM_RF_NONE};
    return r;
}

/* Two threads, 1 and 2, have started. */
static void begin(void)
{
    length = 0;
    add(SM_EV_SPAWN, 0)->old = 1;
    add(SM_EV_SPAWN, 0)->old = 2;
    add(SM_EV_BEGIN, 1);
    add(SM_EV_BEGIN, 2);
}

static struct sm_record *access(int kind, uint32_t thread, uint64_t addr, int size, uint64_t value)
{
    struct sm_record *r = add(kind, thread);
    r->addr = addr;
    r->size = (uint8_t)size;
    r->value = value;
    r->flags = SM_RECORD_LIED;
    return r;
}

/* Returns the number of the record. */
static uint64_t store(uint32_t thread, uint64_t addr, int size, uint64_t value)
{
    access(SM_EV_STORE, thread, addr, size, value);
    return length - 1;
}

static struct sm_record *load(uint32_t thread, uint64_t addr, int size, uint64_t value, uint64_t rf)
{
    struct sm_record *r = access(SM_EV_LOAD, thread, addr, size, value);
    r->rf = rf;
    return r;
}

static void part(uint32_t thread, uint64_t addr, int size, uint64_t rf)
{
    struct sm_record *r = add(SM_EV_PART, thread);
    r->addr = addr;
    r->size = (uint8_t)size;
    r->rf = rf;
}

static void sync_event(int kind, uint32_t thread, uint64_t addr, uint64_t aux)
{
    struct sm_record *r = add(kind, thread);
    r->addr = addr;
    r->old = aux;
}

static void atomic_order(struct sm_record *r, int kind, int order)
{
    r->kind = (uint8_t)kind;
    r->order = (uint8_t)order;
}

static struct sm_check_options in_model(enum sm_model_id model)
{
    return (struct sm_check_options){.model = model, .volatile_as = SM_VOLATILE_RELAXED};
}

static void expect_with(const struct sm_check_options *options, const char *axiom)
{
    struct sm_verdict verdict;
    bool legal = sm_check_records(trace, length, options, &verdict);
    if (!axiom) {
        if (!legal)
            fail_msg("%s", verdict.why);
        assert_string_equal(verdict.why, "");
        return;
    }
    assert_false(legal);
    assert_string_equal(verdict.axiom, axiom);
    assert_ptr_equal(strstr(verdict.why, axiom), verdict.why);
}

static void expect(enum sm_model_id model, const char *axiom)
{
    struct sm_check_options options = in_model(model);
    expect_with(&options, axiom);
}

/* ---- structure ---- */

static void threads_start_once_and_end(void **state)
{
    (void)state;
    begin();
    add(SM_EV_YIELD, 3);
    expect(SM_MODEL_SC, "threads");
    begin();
    add(SM_EV_BEGIN, 1);
    expect(SM_MODEL_SC, "threads");
    begin();
    add(SM_EV_END, 1);
    add(SM_EV_YIELD, 1);
    expect(SM_MODEL_SC, "threads");
    begin();
    add(SM_EV_JOIN, 0)->old = 1;
    expect(SM_MODEL_SC, "threads");
    begin();
    add(SM_EV_SPAWN, 0)->old = 2;
    expect(SM_MODEL_SC, "threads");
    begin();
    add(SM_EV_END, 1);
    add(SM_EV_JOIN, 0)->old = 1;
    expect(SM_MODEL_SC, NULL);
}

static void locks_exclude(void **state)
{
    (void)state;
    begin();
    sync_event(SM_EV_LOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, "mutual-exclusion");
    begin();
    sync_event(SM_EV_LOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 1, M, 0); /* recursive */
    sync_event(SM_EV_UNLOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, "mutual-exclusion");
    begin();
    sync_event(SM_EV_LOCK, 1, M, 0);
    sync_event(SM_EV_UNLOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, NULL);
    begin();
    sync_event(SM_EV_LOCK, 1, M, 0); /* robust: the owner ends */
    add(SM_EV_END, 1);
    sync_event(SM_EV_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, NULL);
}

static void rwlocks_share_among_readers(void **state)
{
    (void)state;
    begin();
    sync_event(SM_EV_READ_LOCK, 1, M, 0);
    sync_event(SM_EV_READ_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, NULL);
    sync_event(SM_EV_READ_UNLOCK, 1, M, 1);
    sync_event(SM_EV_WRITE_LOCK, 1, M, 0);
    expect(SM_MODEL_SC, "mutual-exclusion");
    begin();
    sync_event(SM_EV_WRITE_LOCK, 1, M, 0);
    sync_event(SM_EV_READ_LOCK, 2, M, 0);
    expect(SM_MODEL_SC, "mutual-exclusion");
}

/* ---- happens-before of everything that is not an atomic ---- */

/* Thread 1 stores x and releases; thread 2 acquires and reads the initial value. */
static void message(int release, uint64_t release_aux, int acquire, uint64_t acquire_aux)
{
    begin();
    store(1, X, 4, 1);
    sync_event(release, 1, M, release_aux);
    sync_event(acquire, 2, M, acquire_aux);
    load(2, X, 4, 0, SM_RF_INITIAL);
}

static void synchronisation_orders(void **state)
{
    (void)state;
    static const struct {
        int release, acquire;
        uint64_t release_aux, acquire_aux;
        bool orders;
    } cases[] = {
        {SM_EV_UNLOCK, SM_EV_LOCK, 0, 0, true},
        {SM_EV_WRITE_UNLOCK, SM_EV_READ_LOCK, 0, 0, true},
        {SM_EV_WRITE_UNLOCK, SM_EV_WRITE_LOCK, 0, 0, true},
        {SM_EV_READ_UNLOCK, SM_EV_WRITE_LOCK, 1, 0, true},
        {SM_EV_READ_UNLOCK, SM_EV_READ_LOCK, 1, 0, false},
        {SM_EV_SEM_POST, SM_EV_SEM_WAIT, 0, 0, true},
        {SM_EV_ARRIVE, SM_EV_DEPART, 3, 3, true},
        {SM_EV_ARRIVE, SM_EV_DEPART, 3, 2, false},
        {SM_EV_ONCE_DONE, SM_EV_ONCE_PASS, 0, 0, true},
        {SM_EV_HAPPENS_BEFORE, SM_EV_HAPPENS_AFTER, 0, 0, true},
        {SM_EV_SIGNAL, SM_EV_WAKE, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        message(cases[i].release, cases[i].release_aux, cases[i].acquire, cases[i].acquire_aux);
        expect(SM_MODEL_HB, cases[i].orders ? "visibility" : NULL);
        expect(SM_MODEL_C11, cases[i].orders ? "coherence" : NULL);
    }
}

/* Between release and acquire the object is initialised, or its memory freed, or another's. */
static void a_new_object_has_no_past(void **state)
{
    (void)state;
    static const struct {
        int kind;
        uint64_t addr, aux;
        bool orders;
    } cases[] = {
        {SM_EV_INIT, M, 0, false},      {SM_EV_INIT, M + 8, 0, true},
        {SM_EV_FREE, M, 8, false},      {SM_EV_FREE, M - 64, 4096, false},
        {SM_EV_FREE, M - 64, 64, true}, {SM_EV_FREE, M + 8, 64, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        store(1, X, 4, 1);
        sync_event(SM_EV_LOCK, 1, M, 0);
        sync_event(SM_EV_UNLOCK, 1, M, 0);
        sync_event(cases[i].kind, 1, cases[i].addr, cases[i].aux);
        sync_event(SM_EV_LOCK, 2, M, 0);
        load(2, X, 4, 0, SM_RF_INITIAL);
        expect(SM_MODEL_HB, cases[i].orders ? "visibility" : NULL);
    }
}

static void a_new_lock_is_free(void **state)
{
    (void)state;
    for (int renew = 0; renew < 3; renew++) {
        begin();
        sync_event(SM_EV_LOCK, 1, M, 0);
        if (renew)
            sync_event(renew == 1 ? SM_EV_INIT : SM_EV_FREE, 1, M, 8);
        sync_event(SM_EV_LOCK, 2, M, 0);
        expect(SM_MODEL_SC, renew ? NULL : "mutual-exclusion");
    }
}

static void spawn_and_join_order(void **state)
{
    (void)state;
    length = 0;
    store(0, X, 4, 1);
    add(SM_EV_SPAWN, 0)->old = 1;
    add(SM_EV_BEGIN, 1);
    load(1, X, 4, 0, SM_RF_INITIAL);
    expect(SM_MODEL_HB, "visibility");
    length = 0;
    add(SM_EV_SPAWN, 0)->old = 1;
    add(SM_EV_BEGIN, 1);
    store(1, X, 4, 1);
    add(SM_EV_END, 1);
    load(0, X, 4, 0, SM_RF_INITIAL);
    expect(SM_MODEL_HB, NULL);
    add(SM_EV_JOIN, 0)->old = 1;
    load(0, X, 4, 0, SM_RF_INITIAL);
    expect(SM_MODEL_HB, "visibility");
}

static void inline_assembly_is_a_fence(void **state)
{
    (void)state;
    begin();
    store(1, X, 4, 1);
    add(SM_EV_ASM, 1);
    uint64_t w = store(1, Y, 4, 1);
    atomic_order(&trace[w], SM_EV_ATOMIC_STORE, SM_ORDER_RELAXED);
    atomic_order(load(2, Y, 4, 1, w), SM_EV_ATOMIC_LOAD, SM_ORDER_ACQUIRE);
    load(2, X, 4, 0, SM_RF_INITIAL);
    expect(SM_MODEL_HB, "visibility");
}

/* ---- values and parts ---- */

static void reads_have_the_bytes_of_their_store(void **state)
{
    (void)state;
    begin();
    uint64_t w = store(1, X, 8, 0x1122334455667788);
    load(2, X + 2, 2, 0x5566, w);
    expect(SM_MODEL_SC, NULL);
    load(2, X + 2, 2, 0x5567, w);
    expect(SM_MODEL_SC, "value");
    begin();
    w = store(1, X, 4, 1);
    load(2, X, 8, 1, w);
    expect(SM_MODEL_SC, "format");
    begin();
    load(1, X, 4, 7, SM_RF_INITIAL);
    load(2, X, 2, 8, SM_RF_INITIAL);
    expect(SM_MODEL_HB, "initial-value");
}

static void parts_cover_the_read(void **state)
{
    (void)state;
    begin();
    uint64_t low = store(1, X, 4, 0x11111111), high = store(1, X + 4, 4, 0x22222222);
    load(2, X, 8, 0x2222222211111111, SM_RF_PARTS);
    part(2, X, 4, low);
    expect(SM_MODEL_SC, "format");
    part(2, X + 4, 4, high);
    for (int model = SM_MODEL_SC; model < SM_MODELS; model++)
        expect(model, NULL);
    part(2, X + 4, 4, high);
    expect(SM_MODEL_SC, "format");
}

/* One half of an 8-byte store, the other from before it. */
static void torn(uint64_t middle, int kind)
{
    begin();
    uint64_t w = store(1, X, 8, 0x1111111111111111);
    struct sm_record *r = load(2, X, 8, 0, SM_RF_PARTS);
    int size = (int)(middle - X);
    r->value = 0x1111111111111111 & ((1ul << 8 * size) - 1);
    atomic_order(r, kind, kind == SM_EV_LOAD ? SM_ORDER_PLAIN : SM_ORDER_RELAXED);
    part(2, X, size, w);
    part(2, middle, 8 - size, SM_RF_INITIAL);
}

static void only_hb_tears_and_only_in_halves(void **state)
{
    (void)state;
    torn(X + 4, SM_EV_LOAD);
    expect(SM_MODEL_HB, NULL);
    expect(SM_MODEL_C11, "tearing");
    expect(SM_MODEL_SC, "newest-store");
    torn(X + 2, SM_EV_LOAD);
    expect(SM_MODEL_HB, "tearing");
    torn(X + 4, SM_EV_ATOMIC_LOAD);
    expect(SM_MODEL_HB, "tearing");
}

/* A 16-byte atomic is one access in two records. */
static void wide_atomics_are_whole(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        begin();
        for (int half = 0; half < 2; half++) {
            struct sm_record *w = access(SM_EV_ATOMIC_STORE, 1, X + 8u * (unsigned)half, 8, 5);
            w->order = SM_ORDER_RELAXED;
            w->flags |= half ? SM_RECORD_MORE : 0;
        }
        uint64_t first = length - 2;
        for (int half = 0; half < 2; half++) {
            bool old = half && !whole;
            struct sm_record *r = load(2, X + 8u * (unsigned)half, 8, old ? 0 : 5,
                                       old ? SM_RF_INITIAL : first + (unsigned)half);
            atomic_order(r, SM_EV_ATOMIC_LOAD, SM_ORDER_RELAXED);
            r->flags |= half ? SM_RECORD_MORE : 0;
        }
        expect(SM_MODEL_C11, whole ? NULL : "tearing");
        expect(SM_MODEL_HB, whole ? NULL : "tearing");
    }
    trace[length - 1].flags &= (uint8_t)~SM_RECORD_MORE;
    expect(SM_MODEL_C11, NULL);
    trace[length - 2].flags |= SM_RECORD_MORE;
    expect(SM_MODEL_C11, "format");
}

/* The runtime notices stores of code it does not see at the read, even inside a wide one. */
static void external_stores_count(void **state)
{
    (void)state;
    begin();
    uint64_t w = store(1, X, 4, 1);
    uint64_t seen = store(2, X, 4, 2);
    trace[seen].flags = SM_RECORD_EXTERNAL;
    load(2, X, 4, 2, seen);
    for (int model = SM_MODEL_SC; model < SM_MODELS; model++)
        expect(model, NULL);
    load(2, X, 4, 1, w)->flags = 0;
    expect(SM_MODEL_HB, "newest-store");
    begin();
    load(1, X, 8, 0, SM_RF_INITIAL)->kind = SM_EV_ATOMIC_LOAD;
    seen = store(1, X + 8, 8, 2);
    trace[seen].flags = SM_RECORD_EXTERNAL;
    struct sm_record *more = load(1, X + 8, 8, 2, seen);
    more->kind = SM_EV_ATOMIC_LOAD;
    more->flags |= SM_RECORD_MORE;
    for (int model = SM_MODEL_SC; model < SM_MODELS; model++)
        expect(model, NULL);
}

static void free_ends_a_history(void **state)
{
    (void)state;
    begin();
    uint64_t w = store(1, X, 4, 1);
    sync_event(SM_EV_FREE, 1, X, 16);
    sync_event(SM_EV_ALLOC, 1, X, 16);
    load(1, X, 4, 9, SM_RF_INITIAL);
    for (int model = SM_MODEL_SC; model < SM_MODELS; model++)
        expect(model, NULL);
    load(1, X, 4, 1, w);
    for (int model = SM_MODEL_SC; model < SM_MODELS; model++)
        expect(model, "lifetime");
}

/* ---- blame ---- */

static void only_marked_accesses_are_lied_about(void **state)
{
    (void)state;
    for (int model = SM_MODEL_C11; model < SM_MODELS; model++) {
        begin();
        store(1, X, 4, 1);
        struct sm_record *r = load(2, X, 4, 0, SM_RF_INITIAL);
        r->flags |= SM_RECORD_STALE;
        expect(model, NULL);
        r->flags = SM_RECORD_STALE;
        expect(model, "blame");
        r->flags = 0;
        expect(model, "newest-store");
    }
}

/* ---- tso and pso ---- */

static uint64_t delayed(uint32_t thread, uint64_t addr, uint64_t value)
{
    uint64_t w = store(thread, addr, 4, value);
    trace[w].flags |= SM_RECORD_DELAYED;
    return w;
}

static void flush(uint32_t thread, uint64_t w)
{
    add(SM_EV_FLUSH, thread)->rf = w;
}

static void delayed_stores_are_seen_by_their_thread_first(void **state)
{
    (void)state;
    begin();
    uint64_t w = delayed(1, X, 1);
    load(2, X, 4, 0, SM_RF_INITIAL);
    load(1, X, 4, 1, w);
    expect(SM_MODEL_TSO, NULL);
    expect(SM_MODEL_PSO, NULL);
    expect(SM_MODEL_SC, "format");
    load(2, X, 4, 1, w);
    expect(SM_MODEL_TSO, "newest-store");
    trace[--length].kind = 0;
    load(1, X, 4, 0, SM_RF_INITIAL);
    expect(SM_MODEL_TSO, "forwarding");
    length--;
    flush(1, w);
    load(2, X, 4, 1, w);
    expect(SM_MODEL_TSO, NULL);
    flush(1, w);
    expect(SM_MODEL_TSO, "format");
}

static void tso_keeps_stores_in_order(void **state)
{
    (void)state;
    begin();
    uint64_t x = delayed(1, X, 1), y = delayed(1, Y, 1);
    flush(1, y);
    expect(SM_MODEL_TSO, "store-order");
    expect(SM_MODEL_PSO, NULL);
    flush(1, x);
    expect(SM_MODEL_PSO, NULL);
    begin();
    delayed(1, X, 1);
    store(1, Y, 4, 1); /* at once, though x waits: that is pso */
    expect(SM_MODEL_TSO, "store-order");
    expect(SM_MODEL_PSO, NULL);
    begin();
    delayed(1, X, 1);
    flush(1, delayed(1, X, 2));
    expect(SM_MODEL_PSO, "store-order");
}

static void synchronisation_drains(void **state)
{
    (void)state;
    static const int kinds[] = {SM_EV_LOCK,      SM_EV_UNLOCK, SM_EV_TRYLOCK_FAIL, SM_EV_SEM_POST,
                                SM_EV_BROADCAST, SM_EV_WAIT,   SM_EV_ASM,          SM_EV_END};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        begin();
        uint64_t w = delayed(1, X, 1);
        sync_event(kinds[i], 1, M, 0);
        expect(SM_MODEL_TSO, "drain");
        length--;
        flush(1, w);
        sync_event(kinds[i], 1, M, 0);
        expect(SM_MODEL_TSO, NULL);
    }
    begin();
    delayed(1, X, 1);
    add(SM_EV_YIELD, 1);
    add(SM_EV_FENCE, 1)->order = SM_ORDER_ACQ_REL;
    expect(SM_MODEL_TSO, NULL); /* the rest of the buffer may die with the process */
}

/* A store that waits while its memory is freed lands in what the memory has become. */
static void a_delayed_store_lands_in_freed_memory(void **state)
{
    (void)state;
    begin();
    uint64_t w = delayed(1, X, 1);
    sync_event(SM_EV_FREE, 2, X, 8);
    load(2, X, 4, 0, SM_RF_INITIAL);
    flush(1, w);
    load(2, X, 4, 1, w);
    expect(SM_MODEL_TSO, NULL);
}

/* ---- hb ---- */

static void the_future_is_seen_only_with_prescience(void **state)
{
    (void)state;
    struct sm_check_options prescient = in_model(SM_MODEL_HB);
    prescient.prescient = true;
    begin();
    struct sm_record *r = load(1, X, 4, 1, length + 1);
    r->flags |= SM_RECORD_FUTURE;
    store(2, X, 4, 1);
    expect_with(&prescient, NULL);
    expect(SM_MODEL_HB, "no-thin-air");
    expect(SM_MODEL_C11, "no-thin-air");
    r->flags &= (uint8_t)~SM_RECORD_FUTURE;
    expect_with(&prescient, "no-thin-air");
    begin();
    r = load(1, X, 4, 1, length + 3);
    r->flags |= SM_RECORD_FUTURE;
    sync_event(SM_EV_UNLOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 2, M, 0);
    store(2, X, 4, 1);
    expect_with(&prescient, "concurrent-future");
}

/* Load buffering: thread 1 sees x before thread 2, which has read y from thread 1, stores it. */
static void a_value_that_leads_back_to_itself_is_noted(void **state)
{
    (void)state;
    struct sm_check_options prescient = in_model(SM_MODEL_HB);
    struct sm_verdict verdict;
    prescient.prescient = true;
    begin();
    load(1, X, 4, 1, length + 3)->flags |= SM_RECORD_FUTURE;
    uint64_t w = store(1, Y, 4, 1);
    struct sm_record *r = load(2, Y, 4, 1, w);
    store(2, X, 4, 1);
    assert_true(sm_check_records(trace, length, &prescient, &verdict));
    assert_true(verdict.may_be_circular);
    r->value = 0;
    r->rf = SM_RF_INITIAL;
    assert_true(sm_check_records(trace, length, &prescient, &verdict));
    assert_false(verdict.may_be_circular);
}

/* Two values from the future that justify each other. */
static void values_that_lead_to_each_other_are_noted(void **state)
{
    (void)state;
    struct sm_check_options prescient = in_model(SM_MODEL_HB);
    struct sm_verdict verdict;
    prescient.prescient = true;
    begin();
    load(1, X, 4, 1, length + 3)->flags |= SM_RECORD_FUTURE;
    load(2, Y, 4, 1, length + 1)->flags |= SM_RECORD_FUTURE;
    store(1, Y, 4, 1);
    store(2, X, 4, 1);
    assert_true(sm_check_records(trace, length, &prescient, &verdict));
    assert_true(verdict.may_be_circular);
}

/* ---- certificates ---- */

/* Load buffering: thread 1 sees x = 1 before thread 2 stores it, having read y from thread 1. Alone
   from that read on, thread 2 reads y = 0 and stores x all the same. */
static struct lb {
    uint64_t read; /* record that sees the future */
    struct sm_record run[4];
    struct sm_certificate certificate;
    struct sm_check_options options;
} lb;

static void begin_lb(void)
{
    begin();
    lb.read = length;
    load(1, X, 4, 1, length + 3)->flags |= SM_RECORD_FUTURE;
    uint64_t w = store(1, Y, 4, 1);
    load(2, Y, 4, 1, w);
    store(2, X, 4, 1);
    lb.run[0] = trace[w + 1];
    lb.run[0].value = 0;
    lb.run[0].rf = SM_RF_INITIAL;
    lb.run[1] = trace[w + 2];
    lb.certificate = (struct sm_certificate){lb.read, lb.run, 2};
    lb.options = in_model(SM_MODEL_HB);
    lb.options.prescient = lb.options.certified = lb.options.all_watched = true;
    lb.options.certificates = &lb.certificate;
    lb.options.n_certificates = 1;
}

static void expect_lb(const char *part_of_why)
{
    struct sm_verdict verdict;
    bool legal = sm_check_records(trace, length, &lb.options, &verdict);
    if (!part_of_why) {
        assert_true(legal);
        return;
    }
    assert_false(legal);
    assert_string_equal(verdict.axiom, "certificate");
    assert_non_null(strstr(verdict.why, part_of_why));
}

static void a_certificate_is_a_run_that_makes_the_store(void **state)
{
    (void)state;
    begin_lb();
    expect_lb(NULL);
    lb.options.n_certificates = 0;
    expect_lb("has no certificate");
    lb.options.certified = false; /* oota */
    expect_lb(NULL);
    begin_lb();
    lb.certificate.n_records = 1; /* without the store */
    expect_lb("does not end with the store");
    lb.certificate.n_records = 0;
    expect_lb("does not end with the store");
    begin_lb();
    lb.run[1].value = 2;
    expect_lb("does not end with the store");
    begin_lb();
    lb.run[1].addr = Y;
    expect_lb("does not end with the store");
    begin_lb();
    lb.run[2] = lb.run[1]; /* the thread's second store there, where the read saw the first */
    lb.certificate.n_records = 3;
    expect_lb("does not end with the store");
    begin_lb();
    lb.certificate.read--; /* of another moment */
    expect_lb("has no certificate");
}

static void a_certificate_is_of_one_thread(void **state)
{
    (void)state;
    begin_lb();
    lb.run[2] = lb.run[1];
    lb.run[1] = lb.run[0];
    lb.run[0] = trace[lb.read + 1]; /* thread 1 stores y, and thread 2 reads that */
    lb.run[1].value = 1;
    lb.run[1].rf = lb.read;
    lb.certificate.n_records = 3;
    expect_lb("another thread");
    begin_lb();
    lb.run[0].thread = 1;
    expect_lb("another thread");
}

static void a_certificate_sees_no_future(void **state)
{
    (void)state;
    begin_lb();
    lb.run[0].addr = X; /* the promised value, from the store that it is to justify */
    lb.run[0].value = 1;
    lb.run[0].rf = lb.read + 1;
    lb.run[0].flags |= SM_RECORD_FUTURE;
    expect_lb("not stored yet");
    lb.run[0].flags &= (uint8_t)~SM_RECORD_FUTURE;
    expect_lb("not stored yet");
}

/* What it reads is what memory held, by the same axioms. */
static void a_certificate_is_a_legal_execution(void **state)
{
    (void)state;
    begin_lb();
    load(0, Y, 4, 0, SM_RF_INITIAL); /* as in the run */
    expect_lb(NULL);
    lb.run[0].value = 7;
    expect_lb("another initial value");
    trace[length - 1].kind = SM_EV_FREE; /* y is other memory from here on */
    trace[length - 1].rf = SM_RF_NONE;
    trace[length - 1].size = 0;
    trace[length - 1].old = 4;
    load(0, Y, 4, 0, SM_RF_INITIAL);
    expect_lb(NULL);
    begin_lb();
    lb.run[0].rf = lb.read - 1; /* no store */
    expect_lb("no execution (format)");
    begin_lb();
    lb.run[2] = lb.run[1];
    lb.run[1] = lb.run[0];
    lb.run[0] = lb.run[2]; /* its own store of y ... */
    lb.run[0].addr = Y;
    lb.run[0].value = 5;
    lb.run[1].rf = lb.read; /* ... of which it reads another value */
    lb.certificate.n_records = 3;
    expect_lb("no execution (value)");
    lb.run[1].value = 5;
    expect_lb(NULL);
    lb.run[1].value = 0; /* and what it has overwritten itself */
    lb.run[1].rf = SM_RF_INITIAL;
    expect_lb("no execution (visibility)");
}

/* Where the store can come first no certificate is needed, if all accesses are known. */
static void only_what_leads_back_is_certified(void **state)
{
    (void)state;
    begin();
    load(1, X, 4, 1, length + 1)->flags |= SM_RECORD_FUTURE;
    store(2, X, 4, 1);
    lb.options = in_model(SM_MODEL_HB);
    lb.options.prescient = lb.options.certified = lb.options.all_watched = true;
    expect_lb(NULL);
    lb.options.all_watched = false;
    expect_lb("has no certificate");
}

static void volatile_is_what_the_option_says(void **state)
{
    (void)state;
    for (int as = SM_VOLATILE_PLAIN; as < SM_VOLATILES; as++) {
        struct sm_check_options options = in_model(SM_MODEL_HB);
        options.volatile_as = (enum sm_volatile_id)as;
        begin(); /* CoRR */
        uint64_t w = store(1, X, 4, 1);
        load(2, X, 4, 1, w);
        load(2, X, 4, 0, SM_RF_INITIAL);
        for (uint32_t i = 4; i < length; i++)
            trace[i].flags |= SM_RECORD_VOLATILE;
        expect_with(&options, as == SM_VOLATILE_PLAIN ? NULL : "coherence");
        begin(); /* MP: only seq_cst publishes */
        store(1, Y, 4, 1);
        w = store(1, X, 4, 1);
        trace[w].flags |= SM_RECORD_VOLATILE;
        load(2, X, 4, 1, w)->flags |= SM_RECORD_VOLATILE;
        load(2, Y, 4, 0, SM_RF_INITIAL);
        expect_with(&options, as == SM_VOLATILE_SEQ_CST ? "visibility" : NULL);
    }
}

/* ---- verdicts ---- */

static void place(void *context, uint32_t site, char *to, size_t size)
{
    (void)context;
    snprintf(to, size, "line %u", site);
}

static void a_verdict_names_events_and_places(void **state)
{
    (void)state;
    struct sm_check_options options = in_model(SM_MODEL_SC);
    struct sm_verdict verdict;
    options.place = place;
    begin();
    uint64_t w = store(1, X, 4, 1);
    trace[w].site = 17;
    load(2, X, 4, 0, SM_RF_INITIAL)->site = 42;
    assert_false(sm_check_records(trace, length, &options, &verdict));
    assert_int_equal(verdict.n_events, 2);
    assert_int_equal(verdict.events[0], w + 1);
    assert_int_equal(verdict.events[1], w);
    assert_non_null(strstr(verdict.why, "line 42"));
    assert_non_null(strstr(verdict.why, "line 17"));
}

/* Whatever the bytes, there is a verdict. */
/* ---- edges ---- */

static char edges_text[256];

static void note_edge(void *context, uint32_t before, uint32_t after)
{
    size_t used = strlen(edges_text);
    (void)context;
    snprintf(edges_text + used, sizeof edges_text - used, " %u-%u", before, after);
}

/* Program order is left out, and so is what follows from other edges: thread 2 hears of the
   create by way of the unlock. */
static void edges_are_what_synchronisation_adds(void **state)
{
    (void)state;
    struct sm_check_options options = in_model(SM_MODEL_TSO);
    begin();
    sync_event(SM_EV_LOCK, 1, M, 0);
    store(1, X, 4, 1);
    sync_event(SM_EV_UNLOCK, 1, M, 0);
    sync_event(SM_EV_LOCK, 2, M, 0);
    load(2, X, 4, 1, 5);
    sync_event(SM_EV_UNLOCK, 2, M, 0);
    sync_event(SM_EV_LOCK, 1, M, 0);
    edges_text[0] = 0;
    assert_true(sm_check_edges(trace, length, &options, note_edge, NULL));
    assert_string_equal(edges_text, " 0-2 1-3 6-7 9-10");

    begin(); /* a race adds nothing */
    store(1, X, 4, 1);
    load(2, X, 4, 1, 4);
    edges_text[0] = 0;
    assert_true(sm_check_edges(trace, length, &options, note_edge, NULL));
    assert_string_equal(edges_text, " 0-2 1-3");

    add(SM_EV_YIELD, 3); /* never started */
    edges_text[0] = 0;
    assert_false(sm_check_edges(trace, length, &options, note_edge, NULL));
    assert_string_equal(edges_text, "");
}

static void garbage_is_judged_too(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        begin();
        uint64_t w = store(1, X, 8, 1);
        load(2, X, 4, 1, w);
        access(SM_EV_RMW, 2, X, 4, 2)->rf = w;
        sync_event(SM_EV_LOCK, 1, M, 0);
        flush(1, w);
        sync_event(SM_EV_FREE, 1, X, 8);
        load(1, X, 8, 0, SM_RF_PARTS);
        part(1, X, 8, w);
        for (int flips = 0; flips < 3; flips++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            ((uint8_t *)trace)[(seed >> 33) % (length * sizeof trace[0])] = (uint8_t)(seed >> 25);
        }
        for (int model = SM_MODEL_SC; model < SM_MODELS; model++) {
            struct sm_check_options options = in_model(model);
            struct sm_verdict verdict;
            options.prescient = round % 2;
            assert_int_equal(sm_check_records(trace, length, &options, &verdict),
                             verdict.axiom == NULL);
        }
    }
}

/* ---- size ---- */

enum { MANY = 1000000, BIG_THREADS = 8, BIG_CELLS = 4096 };

/* Eight threads that lock now and then, and otherwise race on four thousand words with stores and
   atomics of several orders. Reads return the newest store; but if `stale`, a ninth thread, which
   knows nothing of the others, ends the trace with a read of an old value, so that the order of
   the seq_cst operations can no longer be read off the trace. */
static uint64_t big_trace(struct sm_record *r, bool stale)
{
    uint64_t n = 0, seed = 3, newest[BIG_CELLS];
    memset(newest, 0xff, sizeof newest);
    for (uint32_t t = 1; t <= BIG_THREADS; t++) {
        r[n++] = (struct sm_record){.kind = SM_EV_SPAWN, .site = SM_NO_SITE, .old = t};
        r[n++] = (struct sm_record){.kind = SM_EV_BEGIN, .site = SM_NO_SITE, .thread = t};
    }
    while (n < MANY) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t pick = (uint32_t)(seed >> 33), cell = (pick >> 8) % BIG_CELLS;
        struct sm_record *e = &r[n];
        *e = (struct sm_record){.thread = pick % BIG_THREADS,
                                .site = SM_NO_SITE,
                                .size = 8,
                                .flags = SM_RECORD_LIED,
                                .addr = X + 8ul * cell,
                                .rf = SM_RF_NONE};
        static const uint8_t kinds[] = {SM_EV_STORE, SM_EV_LOAD,        SM_EV_LOAD,
                                        SM_EV_RMW,   SM_EV_ATOMIC_LOAD, SM_EV_UNLOCK};
        e->kind = kinds[(pick >> 3) % 6];
        if (e->kind == SM_EV_UNLOCK) {
            if (n + 2 > MANY)
                break;
            *e = (struct sm_record){.kind = SM_EV_LOCK,
                                    .thread = e->thread,
                                    .site = SM_NO_SITE,
                                    .addr = M + cell % 64 * 0x100000};
            r[n + 1] = *e;
            r[n + 1].kind = SM_EV_UNLOCK;
            n += 2;
            continue;
        }
        bool plain = e->kind <= SM_EV_STORE;
        e->order = plain ? SM_ORDER_PLAIN : (pick & 1) ? SM_ORDER_SEQ_CST : SM_ORDER_ACQ_REL;
        if (e->kind != SM_EV_STORE) {
            e->rf = newest[cell];
            uint64_t value = e->rf == SM_RF_INITIAL ? 0 : r[e->rf].value;
            e->kind == SM_EV_RMW ? (e->old = value) : (e->value = value);
        }
        if (e->kind == SM_EV_STORE || e->kind == SM_EV_RMW) {
            e->value = n;
            newest[cell] = n;
        }
        n++;
    }
    for (int reads = 0; reads < 2 && stale; reads++)
        r[n++] = (struct sm_record){.kind = reads ? SM_EV_ATOMIC_LOAD : SM_EV_ATOMIC_STORE,
                                    .thread = reads ? BIG_THREADS : 0,
                                    .order = SM_ORDER_SEQ_CST,
                                    .site = SM_NO_SITE,
                                    .size = 8,
                                    .flags = SM_RECORD_LIED,
                                    .value = !reads,
                                    .rf = reads ? SM_RF_INITIAL : SM_RF_NONE};
    return n;
}

/* An algorithm that is quadratic in the records would not end: 10^12 steps. */
static void a_million_records_are_judged(void **state)
{
    (void)state;
    struct sm_record *r = calloc(MANY + 4, sizeof *r);
    for (int stale = 0; stale < 2; stale++) {
        uint64_t n = big_trace(r, stale);
        for (int model = stale ? SM_MODEL_C11 : SM_MODEL_SC; model < SM_MODELS; model++) {
            struct sm_verdict verdict;
            struct sm_check_options options = in_model((enum sm_model_id)model);
            sm_check_records(r, n, &options, &verdict);
            if (!verdict.legal)
                fail_msg("%s", verdict.why);
        }
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_start_once_and_end),
        cmocka_unit_test(locks_exclude),
        cmocka_unit_test(rwlocks_share_among_readers),
        cmocka_unit_test(synchronisation_orders),
        cmocka_unit_test(a_new_object_has_no_past),
        cmocka_unit_test(a_new_lock_is_free),
        cmocka_unit_test(spawn_and_join_order),
        cmocka_unit_test(inline_assembly_is_a_fence),
        cmocka_unit_test(reads_have_the_bytes_of_their_store),
        cmocka_unit_test(parts_cover_the_read),
        cmocka_unit_test(only_hb_tears_and_only_in_halves),
        cmocka_unit_test(wide_atomics_are_whole),
        cmocka_unit_test(external_stores_count),
        cmocka_unit_test(free_ends_a_history),
        cmocka_unit_test(only_marked_accesses_are_lied_about),
        cmocka_unit_test(delayed_stores_are_seen_by_their_thread_first),
        cmocka_unit_test(tso_keeps_stores_in_order),
        cmocka_unit_test(synchronisation_drains),
        cmocka_unit_test(a_delayed_store_lands_in_freed_memory),
        cmocka_unit_test(the_future_is_seen_only_with_prescience),
        cmocka_unit_test(a_value_that_leads_back_to_itself_is_noted),
        cmocka_unit_test(values_that_lead_to_each_other_are_noted),
        cmocka_unit_test(a_certificate_is_a_run_that_makes_the_store),
        cmocka_unit_test(a_certificate_is_of_one_thread),
        cmocka_unit_test(a_certificate_sees_no_future),
        cmocka_unit_test(a_certificate_is_a_legal_execution),
        cmocka_unit_test(only_what_leads_back_is_certified),
        cmocka_unit_test(volatile_is_what_the_option_says),
        cmocka_unit_test(a_verdict_names_events_and_places),
        cmocka_unit_test(edges_are_what_synchronisation_adds),
        cmocka_unit_test(garbage_is_judged_too),
        cmocka_unit_test(a_million_records_are_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
