#include "hunt/certify.h"

#include "findings/story.h"
#include "target/initial.h"

/* Most stores are made in the first run. The others need certain stale values of one thread. */
enum { RUNS = 8, SOLO_STEPS = 4000 };

struct promise {
    const struct sm_soloist *soloist;
    struct sm_witness *witness;
    size_t read, store;
};

/* ---- one run ---- */

static bool is_same_place(const struct sm_record *a, const struct sm_record *b)
{
    return sm_is_store(a) && a->thread == b->thread && a->addr == b->addr && a->size == b->size;
}

/* How many stores the thread made there before the store. */
static size_t number_of(const struct promise *promise)
{
    const struct sm_record *records = promise->witness->records;
    size_t n = 0;
    for (size_t i = 0; i < promise->store; i++)
        n += is_same_place(&records[i], &records[promise->store]);
    return n;
}

/* From the read to `end` only the thread acts, and threads that it has joined by then. */
static bool is_alone(const struct sm_record *records, size_t begin, size_t end, uint32_t thread)
{
    for (size_t i = begin; i < end; i++) {
        bool joined = records[i].thread == thread;
        for (size_t k = i + 1; k < end && !joined; k++)
            joined = records[k].kind == SM_EV_JOIN && records[k].thread == thread &&
                     records[k].old == records[i].thread;
        if (!joined)
            return false;
    }
    return true;
}

/* Up to the read the run equals the execution; stores of future values read there need not come in
   the run. */
static bool begins_alike(const struct promise *promise, const struct sm_record *trace)
{
    const struct sm_record *records = promise->witness->records;
    for (size_t i = 0; i < promise->read; i++) {
        bool future = records[i].flags & SM_RECORD_FUTURE;
        if (records[i].kind != trace[i].kind || records[i].thread != trace[i].thread ||
            records[i].addr != trace[i].addr || records[i].value != trace[i].value ||
            (!future && records[i].rf != trace[i].rf))
            return false;
    }
    return true;
}

/* The run's events from the read to the store. Which call made them is known only in that run. */
static void keep(const struct promise *promise, const struct sm_record *trace, size_t store)
{
    struct sm_certificates *certificates = &promise->witness->certificates;
    sm_certificates_add(certificates, promise->read, trace + promise->read,
                        store + 1 - promise->read);
    struct sm_certificate *last = &certificates->at[certificates->n - 1];
    for (size_t i = 0; i < last->n_records; i++)
        last->records[i].stack = 0;
}

static bool has_store(const struct promise *promise)
{
    const struct sm_shared *shared = promise->soloist->shared;
    const struct sm_record *wanted = &promise->witness->records[promise->store];
    size_t left = number_of(promise);
    for (size_t i = 0; i < shared->control->trace_records; i++) {
        const struct sm_record *record = &shared->trace[i];
        if (!is_same_place(record, wanted) || left--)
            continue;
        bool made = i >= promise->read && record->value == wanted->value &&
                    is_alone(shared->trace, promise->read, i, wanted->thread) &&
                    begins_alike(promise, shared->trace);
        if (made)
            keep(promise, shared->trace, i);
        return made;
    }
    return false;
}

/* ---- all futures ---- */

static bool certify(const struct promise *promise, bool *certified, struct sm_error *error)
{
    const struct sm_soloist *soloist = promise->soloist;
    uint32_t thread = promise->witness->records[promise->store].thread;
    *certified = false;
    for (uint64_t i = 0; i < soloist->runs && !*certified; i++) {
        if (!soloist->run(soloist->context, promise->read, thread, i, error))
            return false;
        *certified = has_store(promise);
    }
    return true;
}

bool sm_certify_futures(const struct sm_soloist *soloist, struct sm_witness *witness,
                        bool *certified, struct sm_error *error)
{
    *certified = true;
    for (size_t i = 0; i < witness->n_records && *certified; i++) {
        const struct sm_record *read = &witness->records[i];
        struct promise promise = {soloist, witness, i, read->rf};
        if (!(read->flags & SM_RECORD_FUTURE) || read->rf >= witness->n_records)
            continue;
        if (!certify(&promise, certified, error))
            return false;
    }
    sm_initial_declare(witness);
    return true;
}

void sm_solo_options(struct sm_options *options, uint64_t read, uint32_t thread, uint64_t seed)
{
    options->record = 1;
    options->solo = read + 1;
    options->solo_thread = thread;
    options->solo_seed = seed;
    options->steps = read + SOLO_STEPS;
}

/* ---- an execution of a hunt ---- */

struct hunted {
    struct sm_hunt *hunt;
    const struct sm_case *failing;
};

static bool run_hunted(void *context, uint64_t read, uint32_t thread, uint64_t seed,
                       struct sm_error *error)
{
    const struct hunted *hunted = context;
    struct sm_trial trial = sm_case_trial(hunted->failing, false);
    struct sm_outcome outcome;
    sm_solo_options(&trial.options, read, thread, seed);
    if (!sm_campaign_one(&hunted->hunt->campaign, &trial, &outcome, error))
        return false;
    sm_outcome_free(&outcome);
    sm_result_free(&trial.result);
    return true;
}

bool sm_certify_case(struct sm_hunt *hunt, const struct sm_case *failing,
                     struct sm_witness *witness, bool *certified, struct sm_error *error)
{
    struct hunted hunted = {hunt, failing};
    struct sm_soloist soloist = {run_hunted, &hunted, RUNS, &hunt->campaign.workers[0].shared};
    return sm_certify_futures(&soloist, witness, certified, error);
}
