#include "hunt/circular.h"

#include <stdlib.h>

struct future {
    struct sm_foreseen load; /* as a prediction */
    const struct sm_record *store;
    bool comes; /* without being foreseen */
};

struct search {
    struct sm_hunt *hunt;
    const struct sm_case *failing;
    struct future *futures;
    size_t n;
};

/* The load's number among those of its thread at its site: see runtime/model/speculation.h. */
static uint32_t number_of(const struct sm_witness *witness, size_t load)
{
    const struct sm_record *records = witness->records;
    uint32_t n = 0;
    for (size_t i = 0; i <= load; i++)
        n += records[i].kind == SM_EV_LOAD && (records[i].flags & SM_RECORD_LIED) &&
             records[i].thread == records[load].thread && records[i].site == records[load].site;
    return n;
}

static void find_futures(struct search *search, const struct sm_witness *witness)
{
    search->futures = sm_new((witness->n_records + 1) * sizeof *search->futures);
    for (size_t i = 0; i < witness->n_records; i++) {
        const struct sm_record *read = &witness->records[i];
        if (!(read->flags & SM_RECORD_FUTURE) || read->rf >= witness->n_records)
            continue;
        search->futures[search->n++] = (struct future){
            .load = {.thread = read->thread,
                     .site = read->site,
                     .nth = number_of(witness, i),
                     .size = read->size,
                     .value = read->value},
            .store = &witness->records[read->rf],
        };
    }
}

static bool same_store(const struct sm_record *a, const struct sm_record *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->site == b->site &&
           a->addr == b->addr && a->size == b->size && a->value == b->value;
}

/* How many futures have come that had not before. */
static size_t look(struct search *search)
{
    const struct sm_shared *shared = &search->hunt->campaign.workers[0].shared;
    size_t news = 0;
    for (size_t i = 0; i < search->n; i++) {
        struct future *future = &search->futures[i];
        for (size_t k = 0; !future->comes && k < shared->control->trace_records; k++)
            if (same_store(&shared->trace[k], future->store)) {
                future->comes = true;
                news++;
            }
    }
    return news;
}

/* The same schedule and the same stale values as far as they fit, and of the future what has
   turned out to come anyway. */
static bool stage(struct search *search, size_t *news, struct sm_error *error)
{
    struct sm_trial trial = sm_case_trial(search->failing, true);
    struct sm_foreseen *told = sm_new((search->n + 1) * sizeof *told);
    struct sm_outcome outcome;
    for (size_t i = 0; i < search->n; i++)
        if (search->futures[i].comes)
            told[trial.n_predictions++] = search->futures[i].load;
    trial.predictions = told;
    trial.options.schedule = SM_SCHEDULE_FUZZY;
    trial.options.steps = search->failing->options.steps; /* it may have to wait in a loop */
    trial.options.heuristic = SM_HEURISTIC_SC;
    trial.options.record = 1;
    bool ok = sm_campaign_one(&search->hunt->campaign, &trial, &outcome, error);
    free(told);
    if (!ok)
        return false;
    *news = look(search);
    sm_outcome_free(&outcome);
    sm_result_free(&trial.result);
    return true;
}

bool sm_circular(struct sm_hunt *hunt, const struct sm_case *failing,
                 const struct sm_witness *witness, bool *circular, struct sm_error *error)
{
    struct search search = {.hunt = hunt, .failing = failing};
    size_t justified = 0, news = 1;
    bool ok = true;
    find_futures(&search, witness);
    while (ok && justified < search.n && news) {
        ok = stage(&search, &news, error);
        justified += news;
    }
    *circular = justified < search.n;
    free(search.futures);
    return ok;
}
