/*
 * search_parts.h - the search (search.h), for the files that make it up:
 *
 *   search.c          which state is next, and the steps from it
 *   search_futures.c  the write set, and which future writes a state may foresee
 *   search_races.c    races between steps
 *   search_ends.c     states in which nothing happens any more, and failures
 *   search_endless.c  executions that do not end: hangs, threads that wait for ever
 */
#ifndef SM_VERIFY_STATES_SEARCH_PARTS_H
#define SM_VERIFY_STATES_SEARCH_PARTS_H

#include "verify/states/certify.h"
#include "verify/states/conflicts.h"
#include "verify/states/edges.h"
#include "verify/states/idle.h"
#include "verify/states/keys.h"
#include "verify/states/search.h"
#include "verify/states/states.h"

/* More independent steps than this end in a state of their own. */
enum { SM_MOST_INDEPENDENT = 1000 };

/* The steps from the current state to the next, and the races in them. */
struct sm_step_chain {
    struct sm_move *at;
    uint32_t n, capacity;
    struct sm_conflict *races;
    uint32_t n_races, race_capacity;
};

/* A race between the events of two nodes, the later of which led to the state. If there are open
   promises, it is a race of an execution only if a state without open promises can be reached. */
struct sm_raced_pair {
    uint32_t state, past, now;
};
struct sm_raced_pairs {
    struct sm_raced_pair *at;
    uint32_t n, capacity;
};

struct sm_search {
    struct sm_states states;
    struct sm_machine machine, next;
    uint32_t number; /* of the current machine */
    uint32_t iterations;
    struct sm_keys writes, racy;  /* the write set of this iteration; and of the next */
    struct sm_keys places, races; /* the same, by writing thread and location only */
    uint32_t promising, racing;   /* threads that have writes in them */
    bool raced;                   /* some plain read races with a write of another thread */
    struct sm_futures futures;    /* that reads may see in the current state */
    struct sm_future *made;       /* oota: every write of any path; the first `usable` of them */
    uint32_t n_made, made_capacity, usable; /* may be foreseen in this iteration */
    struct sm_keys made_keys;
    struct sm_keys endings, wrong; /* executions and violations seen */
    uint16_t *waiting; /* sc: of each state, the threads that may be waiting; a bit for each */
    uint32_t waiting_capacity;
    bool starves; /* the requested run */
    struct sm_edges edges;
    struct sm_raced_pairs sure, doubtful; /* not reported so far */
    struct sm_numbers kept;               /* states in which the last open promise was fulfilled */
    struct sm_numbers ends;               /* states in which an execution ends */
    struct sm_move *steps;                /* of the requested run */
    uint32_t n_steps, step_capacity;
    uint32_t wanted; /* its thread */
    bool missed;     /* the next event of a thread in the current state is not known */
    bool moved, hung;
    uint32_t went, advanced; /* threads that have steps; steps that are no end of an iteration */
    uint32_t waited;         /* threads that may repeat an idle iteration */
    struct sm_step_chain chain;
    bool raced_at[UINT16_MAX]; /* locations with races; where reads were taken as independent */
    bool quiet_at[UINT16_MAX];
    bool was_wrong; /* reads were taken as independent where there is a race */
    uint64_t executions, blocked;
};

/* ---- search.c ---- */

/* The run that is asked for begins with the steps to this state. */
void sm_search_ask_for_path(struct sm_search *search, uint32_t number);
/* The current state cannot be finished before a thread's next event is known: at this state, or at
   the end of the thread's steps alone (NULL: none). */
void sm_search_ask_to_learn(struct sm_search *search, uint32_t thread, const struct sm_solo *solo);

/* ---- search_futures.c ---- */

bool sm_search_is_oota(void);
/* An access to the location was seen to race. */
void sm_search_note_racy(struct sm_search *search, uint16_t loc);
/* A write that a plain read races with; context: the search. */
void sm_search_note_race(void *context, const struct sm_written *write);
void sm_search_note_path(struct sm_search *search);
void sm_search_note_late_write(struct sm_search *search, uint32_t thread);
/* What was seen in this iteration may be foreseen in the next. True: that is more than before. */
bool sm_search_collect_writes(struct sm_search *search);
/* Lists the writes that reads may foresee in the current state. */
void sm_search_find_futures(struct sm_search *search);

/* ---- search_races.c ---- */

/* A step races with an earlier one; context: the search. */
void sm_search_note_conflict(const struct sm_conflict *conflict, void *context);
/* `next`: the state that the steps led to. */
void sm_search_keep_races(struct sm_search *search, uint32_t next);
/* Reports a new race, and asks for a run that gives its stacks. */
bool sm_search_report_race(struct sm_search *search);
/* All states are explored. True: some of the doubtful races are confirmed. */
bool sm_search_settle_doubts(struct sm_search *search);

/* ---- search_ends.c ---- */

/* For the search of hangs: the current state is not a dead end. */
void sm_search_add_end(struct sm_search *search);
/* The next event of a thread that is of this kind; NULL: of none. */
const struct sm_local *sm_search_first_at(struct sm_search *search, int kind, uint32_t *thread);
/* A thread ends the program, has failed, or goes no further. */
bool sm_search_has_stopped(struct sm_search *search);
/* Do the threads that wait in loops do so for ever? */
enum sm_stays sm_search_note_idle(struct sm_search *search);
enum sm_search_want sm_search_look_for_failure(struct sm_search *search);
enum sm_search_want sm_search_look_for_livelock(struct sm_search *search);
/* No thread has a step. */
enum sm_search_want sm_search_look_at_end(struct sm_search *search);

/* ---- search_endless.c ---- */

/* Model sc: which threads may be waiting in the current state? */
void sm_search_note_waiting(struct sm_search *search);
/* Model sc: the current state is not explored, for its path is too long. */
bool sm_search_is_beyond_bound(struct sm_search *search);
/* All states are explored. */
enum sm_search_want sm_search_look_for_hang(struct sm_search *search);

#endif
