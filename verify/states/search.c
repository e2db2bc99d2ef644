#include "verify/states/search.h"

#include <string.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "verify/consistency/races.h"
#include "verify/explore.h"
#include "verify/mix.h"
#include "verify/pool.h"
#include "verify/states/certify.h"
#include "verify/states/conflicts.h"
#include "verify/states/idle.h"
#include "verify/states/path.h"
#include "verify/states/states.h"

enum { FIRST_EDGES = 64, MAX_KEYS = 1 << 20, COST_OF_STATE = 2, MOST_INDEPENDENT = 1000 };

/* A set of numbers. */
struct keys {
    uint64_t *slots;
    uint32_t n;
};

struct edge {
    uint32_t from, to;
    uint8_t thread;
    bool goes_on; /* the thread does not wait */
};

/* The steps from the current state to the next, and the races in them. */
struct step_chain {
    struct sm_move *at;
    uint32_t n, capacity;
    struct sm_conflict *races;
    uint32_t n_races, race_capacity;
};

/* A race between the events of two nodes, the later of which led to the state. If there are open
   promises, it is a race of an execution only if a state without open promises can be reached. */
struct raced_pair {
    uint32_t state, past, now;
};
struct raced_pairs {
    struct raced_pair *at;
    uint32_t n, capacity;
};
struct numbers {
    uint32_t *at, n, capacity;
};

static struct state_search {
    struct sm_states states;
    struct sm_machine machine, next;
    uint32_t number; /* of the current machine */
    uint32_t iterations;
    struct keys writes, racy;   /* the write set of this iteration; and of the next */
    struct keys places, races;  /* the same, by writing thread and location only */
    uint32_t promising, racing; /* threads that have writes in them */
    bool raced;                 /* some plain read races with a write of another thread */
    struct sm_futures futures;  /* that reads may see in the current state */
    struct sm_future *made;     /* oota: every write of any path; the first `usable` of them may */
    uint32_t n_made, made_capacity, usable; /* be foreseen in this iteration */
    struct keys made_keys;
    struct keys endings, wrong; /* executions and violations seen */
    uint16_t *waiting; /* sc: of each state, the threads that may be waiting; a bit for each */
    uint32_t waiting_capacity;
    bool starves; /* the requested run */
    struct edge *edges;
    uint32_t n_edges, edge_capacity;
    struct raced_pairs sure, doubtful; /* not reported so far */
    struct numbers kept;               /* states in which the last open promise was fulfilled */
    struct numbers ends;               /* states in which an execution ends */
    struct sm_move *steps;             /* of the requested run */
    uint32_t n_steps, step_capacity;
    uint32_t wanted; /* its thread */
    bool missed;     /* the next event of a thread in the current state is not known */
    bool moved, hung;
    uint32_t went, advanced; /* threads that have steps; steps that are no end of an iteration */
    uint32_t waited;         /* threads that may repeat an idle iteration */
    struct step_chain chain;
    bool raced_at[UINT16_MAX]; /* locations with races; where reads were taken as independent */
    bool quiet_at[UINT16_MAX];
    bool was_wrong; /* reads were taken as independent where there is a race */
    uint64_t executions, blocked;
} *search;

/* ---- sets of numbers ---- */

/* False: it was there. */
static bool key_add(struct keys *keys, uint64_t key)
{
    key |= !key;
    if (keys->n >= MAX_KEYS / 2) {
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
        return false;
    }
    uint32_t i = (uint32_t)(key >> 20) & (MAX_KEYS - 1);
    for (; keys->slots[i]; i = (i + 1) & (MAX_KEYS - 1))
        if (keys->slots[i] == key)
            return false;
    keys->slots[i] = key;
    keys->n++;
    return true;
}

static bool key_has(const struct keys *keys, uint64_t key)
{
    key |= !key;
    for (uint32_t i = (uint32_t)(key >> 20) & (MAX_KEYS - 1); keys->slots[i];
         i = (i + 1) & (MAX_KEYS - 1))
        if (keys->slots[i] == key)
            return true;
    return false;
}

static void keys_clear(struct keys *keys)
{
    if (keys->n)
        memset(keys->slots, 0, MAX_KEYS * sizeof *keys->slots);
    keys->n = 0;
}

/* ---- begin ---- */

static void begin_iteration(void)
{
    sm_states_clear(&search->states);
    search->n_edges = search->ends.n = search->kept.n = 0;
    search->sure.n = search->doubtful.n = 0;
    sm_machine_begin(&search->next);
    sm_states_add(&search->states, &search->next, SM_NO_STATE, NULL, 0);
    memset(search->quiet_at, 0, sizeof search->quiet_at);
    search->was_wrong = false;
}

static struct numbers first_numbers(void)
{
    return (struct numbers){sm_pool_get(FIRST_EDGES * sizeof(uint32_t)), 0, FIRST_EDGES};
}

static struct raced_pairs first_races(void)
{
    return (struct raced_pairs){sm_pool_get(FIRST_EDGES * sizeof(struct raced_pair)), 0,
                                FIRST_EDGES};
}

void sm_search_start(void)
{
    search = sm_map(NULL, sizeof *search);
    sm_states_init(&search->states);
    search->states.in_order = sm_machine_is_sc(); /* the shortest path to each state */
    search->writes.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->racy.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->made_keys.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->made_capacity = FIRST_EDGES;
    search->made = sm_pool_get(FIRST_EDGES * sizeof *search->made);
    search->places.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->races.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->endings.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->wrong.slots = sm_map(NULL, MAX_KEYS * sizeof(uint64_t));
    search->edge_capacity = search->step_capacity = FIRST_EDGES;
    search->waiting_capacity = FIRST_EDGES;
    search->waiting = sm_pool_get(FIRST_EDGES * sizeof *search->waiting);
    search->edges = sm_pool_get(FIRST_EDGES * sizeof *search->edges);
    search->ends = first_numbers();
    search->kept = first_numbers();
    search->sure = first_races();
    search->doubtful = first_races();
    search->steps = sm_pool_get(FIRST_EDGES * sizeof *search->steps);
    search->chain.capacity = search->chain.race_capacity = FIRST_EDGES;
    search->chain.at = sm_pool_get(FIRST_EDGES * sizeof *search->chain.at);
    search->chain.races = sm_pool_get(FIRST_EDGES * sizeof *search->chain.races);
    search->iterations = 1;
    begin_iteration();
}

void sm_search_clear(void)
{
    keys_clear(&search->writes);
    keys_clear(&search->racy);
    keys_clear(&search->places);
    keys_clear(&search->races);
    keys_clear(&search->endings);
    keys_clear(&search->made_keys);
    search->n_made = search->usable = 0;
    search->raced = false;
    memset(search->raced_at, 0, sizeof search->raced_at);
    search->promising = search->racing = 0;
    search->iterations = 1;
    search->executions = search->blocked = 0;
    search->hung = false;
    begin_iteration();
}

/* ---- the write set ---- */

static uint64_t write_key(uint8_t thread, uint16_t loc, uint16_t nth, uint64_t value)
{
    return sm_mix(sm_mix(0x6a09e667f3bcc909u, value),
                  (uint64_t)thread << 32 | (uint64_t)loc << 16 | nth);
}

static uint64_t place_key(uint8_t thread, uint16_t loc)
{
    return sm_mix(0x510e527fade682d1u, (uint64_t)thread << 16 | loc);
}

static void note_race_at(uint16_t loc)
{
    search->raced_at[loc] = true;
    search->was_wrong |= search->quiet_at[loc];
}

static void note_race(void *context, const struct sm_written *write)
{
    (void)context;
    search->raced = true;
    note_race_at(write->loc);
    search->racing |= 1u << write->thread;
    key_add(&search->racy, write_key(write->thread, write->loc, write->nth, write->value));
    key_add(&search->races, place_key(write->thread, write->loc));
    key_add(&search->races, place_key(SM_NOBODY, write->loc));
}

static bool is_oota(void)
{
    return sm_option(model) == SM_MODEL_OOTA;
}

static void note_made(const struct sm_future *write)
{
    uint64_t key = write_key(write->name.thread, write->loc, write->name.nth, write->value);
    if (!key_add(&search->made_keys, key))
        return;
    search->made =
        sm_pool_room(search->made, &search->made_capacity, search->n_made, sizeof *search->made);
    search->made[search->n_made++] = *write;
}

/* Records the writes on the path to this node. */
static void note_writes(uint32_t child)
{
    for (uint32_t at; (at = sm_local_at(child)->parent); child = at) {
        const struct sm_local *node = sm_local_at(at);
        uint64_t value = node->value;
        bool made = node->kind == SM_LOCAL_WRITE ||
                    (node->kind == SM_LOCAL_RMW &&
                     sm_local_apply(node, sm_local_at(child)->answer, &value));
        if (made)
            note_made(&(struct sm_future){node->loc, {node->thread, node->nth}, value, 0});
    }
}

/* oota: as in JPR, from paths that end, even if a foreseen write was never made (PM's Figure 11).
   Paths that end early, because a write differs from the foreseen one, would justify each other for
   ever (tc9). */
static void note_path(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && is_oota(); t++)
        if (search->machine.threads[t].node)
            note_writes(search->machine.threads[t].node);
}

/* True: the set has grown. */
static bool collect(struct keys *to, const struct keys *from)
{
    uint32_t before = to->n;
    for (uint32_t i = 0; i < MAX_KEYS && from->n > before; i++)
        if (from->slots[i])
            key_add(to, from->slots[i]);
    return to->n > before;
}

static bool collect_writes(void)
{
    search->promising = search->racing;
    bool grew = collect(&search->places, &search->races) || search->n_made > search->usable;
    search->usable = search->n_made;
    if (is_oota())
        return grew && search->places.n;
    return collect(&search->writes, &search->racy);
}

/* ---- runs ---- */

static void ask_for_path(uint32_t number)
{
    search->n_steps =
        sm_states_path(&search->states, number, &search->steps, &search->step_capacity);
}

static void append_step(const struct sm_move *step)
{
    search->steps =
        sm_pool_room(search->steps, &search->step_capacity, search->n_steps, sizeof *search->steps);
    search->steps[search->n_steps++] = *step;
}

/* The current state cannot be finished before a thread's next event is known: at this state, or at
   the end of the thread's steps alone. */
static void ask_to_learn(uint32_t thread, const struct sm_solo *solo)
{
    if (search->missed)
        return;
    search->missed = true;
    search->wanted = thread;
    ask_for_path(search->number);
    for (uint32_t i = 0; solo && i < solo->n_steps; i++)
        append_step(&solo->steps[i]);
}

static enum sm_search_want run(struct sm_search_run *run, enum sm_search_want want)
{
    *run = (struct sm_search_run){search->steps, search->n_steps, search->wanted, search->starves};
    search->starves = false;
    return want;
}

/* ---- states ---- */

/* The step is more than a read in a loop that another thread is to end. */
static bool goes_on(const struct sm_move *step)
{
    uint32_t at = search->machine.threads[step->thread].node;
    const struct sm_local *node = sm_local_at(at);
    uint64_t written;
    if (node->kind == SM_LOCAL_RMW)
        return sm_local_apply(node, step->answer, &written) && written != step->answer;
    return node->kind != SM_LOCAL_READ || sm_path_begins_turn(at);
}

static void add_edge(uint32_t to, const struct sm_move *step)
{
    search->edges =
        sm_pool_room(search->edges, &search->edge_capacity, search->n_edges, sizeof *search->edges);
    search->edges[search->n_edges++] =
        (struct edge){search->number, to, step->thread, goes_on(step)};
}

static bool promise_needs(const struct sm_move *read)
{
    for (uint32_t i = 0; i < search->futures.n && read->needs >> i; i++)
        if (read->needs >> i & 1 && !sm_machine_promise(&search->next, &search->futures.at[i]))
            return false;
    return true;
}

static void append_number(struct numbers *to, uint32_t number)
{
    to->at = sm_pool_room(to->at, &to->capacity, to->n, sizeof *to->at);
    to->at[to->n++] = number;
}

/* ---- races ---- */

static void append_race(struct raced_pairs *to, const struct raced_pair *race)
{
    to->at = sm_pool_room(to->at, &to->capacity, to->n, sizeof *to->at);
    to->at[to->n++] = *race;
}

static bool is_known_race(const struct raced_pair *race)
{
    return sm_races_again(sm_local_at(race->past)->site, sm_local_at(race->now)->site);
}

static void note_conflict(const struct sm_conflict *conflict, void *context)
{
    struct step_chain *chain = context;
    note_race_at(sm_local_at(conflict->now)->loc);
    chain->races =
        sm_pool_room(chain->races, &chain->race_capacity, chain->n_races, sizeof *chain->races);
    chain->races[chain->n_races++] = *conflict;
}

/* `next`: the state that the steps led to. */
static void keep_races(uint32_t next)
{
    bool owes = sm_machine_owes(&search->next, SM_NOBODY);
    if (!owes && sm_machine_owes(&search->machine, SM_NOBODY))
        append_number(&search->kept, next);
    for (uint32_t i = 0; i < search->chain.n_races; i++) {
        const struct sm_conflict *conflict = &search->chain.races[i];
        struct raced_pair race = {next, conflict->past, conflict->now};
        if (!is_known_race(&race))
            append_race(owes ? &search->doubtful : &search->sure, &race);
    }
}

/* Reports a new race, and asks for a run that gives its stacks. */
static bool report_race(void)
{
    while (search->sure.n) {
        struct raced_pair race = search->sure.at[--search->sure.n];
        if (is_known_race(&race))
            continue;
        struct sm_race_access first = sm_conflict_access(race.past),
                              second = sm_conflict_access(race.now);
        sm_races_add(&first, race.past, &second, race.now);
        search->wanted = second.thread;
        ask_for_path(race.state);
        return true;
    }
    return false;
}

/* oota: a race with an earlier read. The write may depend on the read, and so may never come before
   it. */
static void note_late_write(uint32_t thread)
{
    const struct sm_local *node = sm_local_at(search->next.threads[thread].node);
    if (!sm_local_writes(node) || !sm_machine_was_read(&search->next, thread, node->loc))
        return;
    search->raced = true;
    search->racing |= 1u << thread;
    key_add(&search->races, place_key((uint8_t)thread, node->loc));
    key_add(&search->races, place_key(SM_NOBODY, node->loc));
}

/* ---- steps ---- */

/* The step, from `next`. False: see sm_machine_go. */
static bool take(const struct sm_move *step)
{
    struct step_chain *chain = &search->chain;
    if (is_oota())
        note_late_write(step->thread);
    if (sm_machine_is_sc())
        sm_conflicts_next(&search->next, step, note_conflict, chain);
    else
        sm_conflicts_find(&search->next, step, note_conflict, chain);
    chain->at = sm_pool_room(chain->at, &chain->capacity, chain->n, sizeof *chain->at);
    chain->at[chain->n++] = *step;
    return sm_machine_go(&search->next, step);
}

static bool leads_back(uint32_t node, uint64_t answer)
{
    uint32_t child = sm_local_find(node, answer);
    return child && sm_local_at(child)->depth <= sm_local_at(node)->depth;
}

/* No race was seen at the location that it reads. */
static bool reads_quietly(const struct sm_machine *machine, uint32_t thread)
{
    uint64_t value;
    uint32_t node = machine->threads[thread].node;
    uint16_t loc = sm_local_at(node)->loc;
    if (!sm_machine_reads_one(machine, thread, &value) || search->raced_at[loc] ||
        leads_back(node, value))
        return false;
    search->quiet_at[loc] = true;
    return true;
}

/* The thread has one possible step, and whatever the others could do before it they can do after it
   (search.h). */
static bool is_independent(const struct sm_machine *machine, uint32_t thread)
{
    return machine->threads[thread].node &&
           (sm_machine_is_independent(machine, thread) || reads_quietly(machine, thread));
}

/* A thread with an independent step; SM_MACHINE_THREADS: none. */
static uint32_t find_independent(const struct sm_machine *machine)
{
    uint32_t t = 0;
    while (t < SM_MACHINE_THREADS && !is_independent(machine, t))
        t++;
    return t;
}

static void keep_step(void *context, const struct sm_move *step)
{
    *(struct sm_move *)context = *step;
}

/* Takes all independent steps from `next`. */
static bool take_independent(void)
{
    static const struct sm_futures none;
    for (uint32_t thread; (thread = find_independent(&search->next)) < SM_MACHINE_THREADS;) {
        struct sm_move step;
        sm_machine_ways(&search->next, thread, &none, keep_step, &step);
        if (!take(&step))
            return false;
        if (search->chain.n > MOST_INDEPENDENT)
            break;
    }
    return true;
}

static void go(void *context, const struct sm_move *step)
{
    (void)context;
    uint32_t node = search->machine.threads[step->thread].node;
    search->moved = true;
    search->went |= 1u << step->thread;
    search->chain.n = search->chain.n_races = 0;
    sm_machine_copy(&search->next, &search->machine);
    if (!take(step) || !promise_needs(step))
        return;
    uint32_t child = search->next.threads[step->thread].node;
    if (!sm_machine_is_sc() && sm_idle_closes(node, child)) {
        search->waited |= 1u << step->thread;
        return;
    }
    search->advanced |= (uint32_t)(sm_local_at(child)->depth > sm_local_at(node)->depth)
                        << step->thread;
    if (!take_independent() || (!is_oota() && sm_machine_is_broken(&search->next)))
        return;
    sm_machine_tidy(&search->next);
    uint32_t next = sm_states_add(&search->states, &search->next, search->number, search->chain.at,
                                  search->chain.n);
    add_edge(next, step);
    keep_races(next);
}

/* ---- future writes ---- */

/* Another thread is about to read a location that this one may write. */
static bool is_awaited(uint32_t writer)
{
    uint16_t loc;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (t != writer && search->machine.threads[t].node &&
            sm_machine_reads_plainly(&search->machine, t, &loc) &&
            key_has(&search->places, place_key((uint8_t)writer, loc)))
            return true;
    return false;
}

static bool is_listed(const struct sm_future *future)
{
    for (uint32_t i = 0; i < search->futures.n; i++) {
        const struct sm_future *other = &search->futures.at[i];
        if (other->loc == future->loc && other->value == future->value &&
            other->name.thread == future->name.thread && other->name.nth == future->name.nth &&
            (other->needs & ~future->needs) == 0)
            return true;
    }
    return false;
}

static bool may_be_foreseen(const struct sm_future *write)
{
    return key_has(&search->writes,
                   write_key(write->name.thread, write->loc, write->name.nth, write->value));
}

static void add_future(const struct sm_future *future)
{
    if (is_listed(future))
        return;
    if (search->futures.n == SM_MAX_FUTURES)
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
    else
        search->futures.at[search->futures.n++] = *future;
}

/* Adds what the thread can write running alone. */
static void find_certified(uint32_t thread)
{
    const struct sm_solo *solo = sm_certify_last();
    if (!sm_certify(&search->machine, thread, &search->futures))
        ask_to_learn(solo->unknown, solo);
    for (uint32_t i = 0; i < solo->n_writes && !search->missed; i++)
        if (may_be_foreseen(&solo->writes[i]))
            add_future(&solo->writes[i]);
}

static bool is_anybody_awaited(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        if (is_awaited(t))
            return true;
    return is_awaited(SM_NOBODY);
}

/* The thread has made it, or another write in its place. */
static bool is_past(const struct sm_future *write)
{
    uint32_t child = search->machine.threads[write->name.thread].node;
    while (child && sm_local_at(child)->parent) {
        uint32_t at = sm_local_at(child)->parent;
        const struct sm_local *node = sm_local_at(at);
        if (node->thread != write->name.thread)
            return false;
        if (sm_local_writes(node) && node->loc == write->loc && node->nth >= write->name.nth)
            return true;
        child = at;
    }
    return false;
}

/* oota: what some path writes, to locations with a race. */
static void find_uncertified(void)
{
    for (uint32_t i = 0; i < search->usable; i++)
        if (key_has(&search->places, place_key(SM_NOBODY, search->made[i].loc)) &&
            !is_past(&search->made[i]))
            add_future(&search->made[i]);
}

/* Each round may read what the previous ones have certified. */
static void find_futures(void)
{
    uint32_t before;
    if (!search->places.n || !is_anybody_awaited())
        return;
    if (is_oota()) {
        find_uncertified();
        return;
    }
    do {
        before = search->futures.n;
        for (uint32_t t = 0; t < SM_MACHINE_THREADS && !search->missed; t++)
            if (search->promising >> t & 1 && search->machine.threads[t].node &&
                !sm_machine_has_stopped(&search->machine, t))
                find_certified(t);
    } while (search->futures.n > before && !search->missed);
}

/* A single independent step is a persistent set. */
static bool go_independently(void)
{
    uint32_t thread = find_independent(&search->machine);
    if (thread == SM_MACHINE_THREADS)
        return false;
    sm_machine_ways(&search->machine, thread, &search->futures, go, NULL);
    return true;
}

static void go_on(void)
{
    find_futures();
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && !search->missed; t++)
        if (search->machine.threads[t].node) {
            sm_machine_races(&search->machine, t, note_race, NULL);
            if (!sm_machine_ways(&search->machine, t, &search->futures, go, NULL))
                ask_to_learn(t, NULL);
        }
}

/* ---- ends ---- */

static void add_end(void)
{
    append_number(&search->ends, search->number);
}

static const struct sm_local *first_at(int kind, uint32_t *thread)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && sm_local_at(node)->kind == kind) {
            *thread = t;
            return sm_local_at(node);
        }
    }
    return NULL;
}

/* ---- threads that wait in loops (idle.h) ---- */

static enum sm_stays both(enum sm_stays a, enum sm_stays b)
{
    if (a == SM_GOES_ON || b == SM_GOES_ON)
        return SM_GOES_ON;
    return a == SM_STAYS ? b : a;
}

/* Of these threads, and of those after an idle iteration. */
static enum sm_stays do_all_stay(uint32_t threads)
{
    enum sm_stays all = SM_STAYS;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && all != SM_GOES_ON; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && (threads >> t & 1 || sm_local_at(node)->kind == SM_LOCAL_IDLE))
            all = both(all, sm_idle_stays(&search->machine, t));
    }
    return all;
}

static bool has_one_stopped(void)
{
    static const uint8_t kinds[] = {SM_LOCAL_EXIT, SM_LOCAL_FAIL, SM_LOCAL_ASSUME, SM_LOCAL_CUT};
    uint32_t thread;
    for (unsigned i = 0; i < sizeof kinds; i++)
        if (first_at(kinds[i], &thread))
            return true;
    return false;
}

/* For look_for_hang: this state is not a dead end. */
static enum sm_stays note_idle(void)
{
    bool busy = search->waited && (search->advanced & ~search->waited);
    enum sm_stays stays = busy ? SM_GOES_ON : do_all_stay(search->waited ? search->went : 0);
    if (stays != SM_STAYS || (search->waited && has_one_stopped()))
        add_end();
    if (stays == SM_STAYS_UNSURE)
        sm_control->explored.cut |= SM_CUT_BIT(WAITING);
    return stays;
}

static uint64_t ending_key(void)
{
    uint64_t key = sm_mix(0xbb67ae8584caa73bu, do_all_stay(0));
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        key = sm_mix(key, search->machine.threads[t].node);
    return key;
}

/* Identifies where the waiting threads are. */
static uint64_t waiting_key(void)
{
    uint64_t key = 0x3c6ef372fe94f82bu;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        const struct sm_local *node = sm_local_at(search->machine.threads[t].node);
        key = sm_mix(key, sm_mix(node->kind, node->loc));
    }
    return key;
}

/* Moves the failing thread's last plain reads to the end: the others do not notice, and what it
   foresaw has happened by then. A crash comes directly after the last read. */
static void read_last(uint32_t thread)
{
    uint32_t end = search->n_steps;
    for (uint32_t i = search->n_steps; i-- > 0;) {
        struct sm_move move = search->steps[i];
        if (move.thread != thread)
            continue;
        if (!move.plain_read)
            return;
        memmove(&search->steps[i], &search->steps[i + 1], (--end - i) * sizeof move);
        search->steps[end] = move;
    }
}

static enum sm_search_want witness(uint32_t thread, uint64_t key)
{
    if (!key_add(&search->wrong, key))
        return SM_SEARCH_DONE;
    search->wanted = thread;
    ask_for_path(search->number);
    read_last(thread);
    return SM_SEARCH_WITNESS;
}

/* A thread has failed, and no promise is open. */
static enum sm_search_want look_for_failure(void)
{
    uint32_t thread = 0;
    const struct sm_local *failed = first_at(SM_LOCAL_FAIL, &thread);
    if (!failed || sm_machine_owes(&search->machine, SM_NOBODY))
        return SM_SEARCH_DONE;
    return witness(thread, failed->value);
}

/* Each thread is blocked, or waits in a loop. */
static enum sm_search_want look_for_livelock(void)
{
    if (search->hung || has_one_stopped() || sm_machine_owes(&search->machine, SM_NOBODY) ||
        sm_machine_in_block(&search->machine))
        return look_for_failure();
    search->hung = true;
    return witness(0, waiting_key());
}

static bool has_everybody_ended(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t node = search->machine.threads[t].node;
        if (node && sm_local_at(node)->kind != SM_LOCAL_END)
            return false;
    }
    return true;
}

static enum sm_search_want end_of_program(uint64_t status, uint32_t thread)
{
    search->executions++;
    if (status != sm_option(expect_exit))
        return witness(thread, sm_mix(0xa54ff53a5f1d36f1u, status));
    search->wanted = thread;
    ask_for_path(search->number);
    return SM_SEARCH_OUTCOME;
}

/* Any thread that is about to end the program can be the first: one that fails is preferred. */
static const struct sm_local *first_exit(uint32_t *thread)
{
    const struct sm_local *exit = first_at(SM_LOCAL_EXIT, thread);
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && exit && exit->value == sm_option(expect_exit);
         t++) {
        const struct sm_local *other = sm_local_at(search->machine.threads[t].node);
        if (other->kind != SM_LOCAL_EXIT || other->value == sm_option(expect_exit))
            continue;
        *thread = t;
        exit = other;
    }
    return exit;
}

/* No thread has a step. */
static enum sm_search_want look_at_end(void)
{
    uint32_t thread = 0;
    add_end();
    note_path();
    if (sm_machine_owes(&search->machine, SM_NOBODY) || !key_add(&search->endings, ending_key()))
        return SM_SEARCH_DONE;
    if (first_at(SM_LOCAL_FAIL, &thread)) {
        search->executions++;
        return SM_SEARCH_DONE;
    }
    const struct sm_local *cut = first_at(SM_LOCAL_CUT, &thread);
    if (cut)
        sm_control->explored.cut |= (uint32_t)cut->value;
    if (cut || first_at(SM_LOCAL_ASSUME, &thread)) {
        search->blocked++;
        return SM_SEARCH_DONE;
    }
    const struct sm_local *exit = first_exit(&thread);
    if (exit)
        return end_of_program(exit->value, thread);
    if (has_everybody_ended())
        return end_of_program(0, 0);
    search->blocked++;
    if (do_all_stay(0) != SM_STAYS)
        return SM_SEARCH_DONE;
    return sm_machine_in_block(&search->machine) ? SM_SEARCH_DONE : witness(0, waiting_key());
}

/* ---- non-terminating executions ---- */

static bool owes_nothing(uint32_t number)
{
    int balance = 0;
    for (uint32_t i = number; search->states.all[i].parent != SM_NO_STATE;
         i = search->states.all[i].parent)
        for (uint32_t k = 0; k < search->states.all[i].n; k++)
            balance += search->states.steps[search->states.all[i].first + k].promise;
    return balance == 0;
}

/* For each state: can it reach one of these? The caller frees it. */
static uint8_t *find_origins(const struct numbers *of)
{
    uint8_t *reach = memset(sm_pool_get(search->states.n), 0, search->states.n);
    for (uint32_t i = 0; i < of->n; i++)
        reach[of->at[i]] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = search->n_edges; i-- > 0;) {
            const struct edge *edge = &search->edges[i];
            more |= reach[edge->to] && !reach[edge->from];
            reach[edge->from] |= reach[edge->to];
        }
    }
    return reach;
}

/* All states are explored. True: some of the doubtful races are confirmed. */
static bool settle_doubts(void)
{
    if (!search->doubtful.n)
        return false;
    uint8_t *kept = find_origins(&search->kept);
    for (uint32_t i = 0; i < search->doubtful.n; i++)
        if (kept[search->doubtful.at[i].state])
            append_race(&search->sure, &search->doubtful.at[i]);
    sm_pool_put(kept, search->states.n);
    search->doubtful.n = 0;
    return search->sure.n;
}

/* A state from which no end can be reached, whatever the threads read: they wait for each other in
   loops. Only without open promises: what a promise rules out does not reach an end either. */
static uint32_t find_hang(void)
{
    uint32_t n = search->states.n, found = SM_NO_STATE;
    uint8_t *ends = find_origins(&search->ends);
    for (uint32_t i = 0; i < n && found == SM_NO_STATE; i++)
        if (!ends[i] && owes_nothing(i))
            found = i;
    sm_pool_put(ends, n);
    return found;
}

/* ---- threads that wait for ever (model sc) ---- */

static bool may_wait(const struct sm_machine *machine, uint32_t thread)
{
    const struct sm_local *node = sm_local_at(machine->threads[thread].node);
    if (!machine->threads[thread].node || sm_machine_has_stopped(machine, thread))
        return false;
    if (node->kind != SM_LOCAL_OPERATE)
        return node->kind == SM_LOCAL_READ || node->kind == SM_LOCAL_RMW;
    return node->op == SM_DO_LOCK || node->op == SM_DO_SPIN || node->op == SM_DO_READ_LOCK ||
           node->op == SM_DO_WRITE_LOCK;
}

static void note_waiting(void)
{
    uint16_t set = 0;
    uint32_t unused;
    if (!sm_machine_is_sc())
        return;
    const struct sm_local *cut = first_at(SM_LOCAL_CUT, &unused); /* the others may never end */
    if (cut)
        sm_control->explored.cut |= (uint32_t)cut->value;
    for (uint32_t t = 0; t < SM_MACHINE_THREADS && !has_one_stopped(); t++)
        set |= (uint16_t)(may_wait(&search->machine, t) << t);
    search->waiting = sm_pool_room(search->waiting, &search->waiting_capacity, search->number,
                                   sizeof *search->waiting);
    search->waiting[search->number] = set;
}

/* A state from which the thread never goes on. */
static uint32_t find_waiting(uint32_t thread)
{
    uint32_t n = search->states.n, found = SM_NO_STATE;
    struct numbers goes = first_numbers();
    for (uint32_t i = 0; i < n; i++)
        if (!(search->waiting[i] >> thread & 1))
            append_number(&goes, i);
    for (uint32_t i = 0; i < search->n_edges; i++)
        if (search->edges[i].thread == thread && search->edges[i].goes_on)
            append_number(&goes, search->edges[i].from);
    for (uint32_t i = 0; i < search->ends.n; i++)
        append_number(&goes, search->ends.at[i]); /* judged there */
    uint8_t *reach = find_origins(&goes);
    for (uint32_t i = 0; i < n && found == SM_NO_STATE; i++)
        if (!reach[i])
            found = i;
    sm_pool_put(reach, n);
    sm_pool_put(goes.at, goes.capacity * sizeof *goes.at);
    return found;
}

static uint32_t find_next(uint32_t from, const uint8_t *seen)
{
    for (uint32_t i = 0; i < search->n_edges; i++)
        if (search->edges[i].from == from && !seen[search->edges[i].to])
            return search->edges[i].to;
    return SM_NO_STATE;
}

/* As many steps later as there are new states: other threads have ended, if they can. */
static uint32_t let_others_end(uint32_t from)
{
    uint32_t n = search->states.n;
    uint8_t *seen = memset(sm_pool_get(n), 0, n);
    for (uint32_t i = 0, next = from; i < MOST_INDEPENDENT && next != SM_NO_STATE; i++) {
        from = next;
        seen[from] = 1;
        next = find_next(from, seen);
    }
    sm_pool_put(seen, n);
    return from;
}

static enum sm_search_want look_for_waiting(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++) {
        uint32_t number = find_waiting(t);
        if (number == SM_NO_STATE)
            continue;
        search->wanted = t;
        search->starves = true;
        ask_for_path(let_others_end(number));
        return SM_SEARCH_WITNESS;
    }
    return SM_SEARCH_DONE;
}

/* Running for ever is one more execution. */
static void count_endless(void)
{
    uint32_t n = search->states.n, endless = 0;
    uint8_t *ends = find_origins(&search->ends);
    for (uint32_t i = 0; i < n; i++)
        endless += !ends[i];
    sm_pool_put(ends, n);
    search->executions += endless > 0;
}

/* ---- all together ---- */

static void resolve(void)
{
    for (uint32_t t = 0; t < SM_MACHINE_THREADS; t++)
        search->machine.threads[t].node = sm_local_resolve(search->machine.threads[t].node);
}

/* Model sc: paths to the states of an endless program may be of any length. */
static bool is_beyond_bound(void)
{
    if (!sm_machine_is_sc() || search->states.all[search->number].depth <= sm_option(bound))
        return false;
    sm_control->explored.cut |= SM_CUT_BIT(BOUND);
    search->waiting = sm_pool_room(search->waiting, &search->waiting_capacity, search->number,
                                   sizeof *search->waiting);
    search->waiting[search->number] = 0;
    add_end();
    return true;
}

static enum sm_search_want look(void)
{
    if (is_beyond_bound())
        return SM_SEARCH_DONE;
    search->missed = search->moved = false;
    search->futures.n = search->went = search->advanced = search->waited = 0;
    resolve();
    if (!go_independently())
        go_on();
    if (search->missed) {
        sm_states_put_back(&search->states, &search->machine, search->number);
        return SM_SEARCH_LEARN;
    }
    note_waiting();
    bool stays = note_idle() == SM_STAYS && search->waited;
    enum sm_search_want failure = stays ? look_for_livelock() : look_for_failure();
    enum sm_search_want end = search->moved ? SM_SEARCH_DONE : look_at_end();
    return failure != SM_SEARCH_DONE ? failure : end;
}

static bool begin_next_iteration(void)
{
    if (!sm_option(prescient) || !collect_writes())
        return false;
    begin_iteration();
    search->iterations++;
    return true;
}

/* If steps were left out for lack of room, a state may falsely seem a dead end. */
static enum sm_search_want look_for_hang(void)
{
    if (sm_machine_is_sc() && !search->hung && !sm_machine_is_full()) {
        search->hung = true;
        count_endless();
        return look_for_waiting();
    }
    uint32_t number = search->hung || sm_machine_is_full() ? SM_NO_STATE : find_hang();
    search->hung = true;
    if (number == SM_NO_STATE)
        return SM_SEARCH_DONE;
    search->wanted = 0;
    ask_for_path(number);
    return SM_SEARCH_WITNESS;
}

enum sm_search_want sm_search_next(struct sm_search_run *ask)
{
    for (;;) {
        if (report_race())
            return run(ask, SM_SEARCH_RACES);
        if (search->was_wrong)
            begin_iteration();
        if (sm_states_take(&search->states, &search->machine, &search->number)) {
            enum sm_search_want want = look();
            if (want != SM_SEARCH_DONE)
                return run(ask, want);
            sm_explore_count(COST_OF_STATE);
            if (sm_control->explored.stop)
                return SM_SEARCH_DONE;
            continue;
        }
        if (settle_doubts() || begin_next_iteration())
            continue;
        return run(ask, look_for_hang());
    }
}

bool sm_search_grew(void)
{
    if (search->raced && sm_machine_was_forced())
        sm_seq_cst_want();
    return sm_seq_cst_grew();
}

void sm_search_publish(void)
{
    sm_control->executions = search->executions;
    sm_control->explored.blocked = search->blocked;
    sm_control->explored.iterations = search->iterations;
    sm_control->explored.states = search->states.n;
    sm_control->explored.writes = is_oota() ? search->usable : search->writes.n;
    if (sm_certify_last()->cut || sm_machine_is_full())
        sm_control->explored.cut |= SM_CUT_BIT(ROOM);
    if (sm_seq_cst_is_cut())
        sm_control->explored.cut |= SM_CUT_BIT(FENCES);
    if (sm_machine_is_mixed())
        sm_control->explored.cut |= SM_CUT_BIT(MIXED);
}
