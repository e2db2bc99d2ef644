#include "verify/consistency/races.h"
#include "verify/pool.h"
#include "verify/states/search_parts.h"

static void append_race(struct sm_raced_pairs *to, const struct sm_raced_pair *race)
{
    to->at = sm_pool_room(to->at, &to->capacity, to->n, sizeof *to->at);
    to->at[to->n++] = *race;
}

static bool is_known_race(const struct sm_raced_pair *race)
{
    return sm_races_again(sm_local_at(race->past)->site, sm_local_at(race->now)->site);
}

void sm_search_note_conflict(const struct sm_conflict *conflict, void *context)
{
    struct sm_search *search = context;
    struct sm_step_chain *chain = &search->chain;
    sm_search_note_racy(search, sm_local_at(conflict->now)->loc);
    chain->races =
        sm_pool_room(chain->races, &chain->race_capacity, chain->n_races, sizeof *chain->races);
    chain->races[chain->n_races++] = *conflict;
}

void sm_search_keep_races(struct sm_search *search, uint32_t next)
{
    bool owes = sm_machine_owes(&search->next, SM_NOBODY);
    if (!owes && sm_machine_owes(&search->machine, SM_NOBODY))
        sm_numbers_add(&search->kept, next);
    for (uint32_t i = 0; i < search->chain.n_races; i++) {
        const struct sm_conflict *conflict = &search->chain.races[i];
        struct sm_raced_pair race = {next, conflict->past, conflict->now};
        if (!is_known_race(&race))
            append_race(owes ? &search->doubtful : &search->sure, &race);
    }
}

bool sm_search_report_race(struct sm_search *search)
{
    while (search->sure.n) {
        struct sm_raced_pair race = search->sure.at[--search->sure.n];
        if (is_known_race(&race))
            continue;
        struct sm_race_access first = sm_conflict_access(race.past),
                              second = sm_conflict_access(race.now);
        sm_races_add(&first, race.past, &second, race.now);
        search->wanted = second.thread;
        sm_search_ask_for_path(search, race.state);
        return true;
    }
    return false;
}

bool sm_search_settle_doubts(struct sm_search *search)
{
    if (!search->doubtful.n)
        return false;
    uint8_t *kept = sm_edges_origins(&search->edges, search->states.n, &search->kept);
    for (uint32_t i = 0; i < search->doubtful.n; i++)
        if (kept[search->doubtful.at[i].state])
            append_race(&search->sure, &search->doubtful.at[i]);
    sm_pool_put(kept, search->states.n);
    search->doubtful.n = 0;
    return search->sure.n;
}
