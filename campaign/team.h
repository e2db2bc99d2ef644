/*
 * team.h - the processes that explore a program together (`verify --jobs`).
 *
 * One begins, with everything. If that takes more than a moment the others are started, one for
 * each job, and an idle one gets a part of what another one has left (verify/results/parcel.h): so
 * no execution is visited twice, and none is left out. A part is explored by a fresh child of the
 * worker's fork server, and its results are added up by the owner's `ended`.
 *
 * Parts contain addresses; a worker whose program is at other addresses (no permission to switch
 * off address randomisation) is not used.
 */
#ifndef SM_CAMPAIGN_TEAM_H
#define SM_CAMPAIGN_TEAM_H

#include "base/memory.h"
#include "base/options.h"
#include "campaign/campaign.h"

struct sm_team;
struct sm_team_handlers {
    /* A worker has found a violation; its shared memory holds the execution. */
    bool (*violation)(struct sm_team *team, struct sm_target *worker, struct sm_error *error);
    /* A worker has finished its part, or was stopped. */
    bool (*ended)(struct sm_team *team, struct sm_target *worker, struct sm_error *error);
    /* All counts so far are void: more is shared than was known. */
    void (*begin_again)(struct sm_team *team);
    /* Called now and then; may be NULL. */
    void (*tick)(struct sm_team *team);
    /* A worker has made a parcel, or has found that more is shared than was known and has ended
       (its parcel is what it knows). NULL: stays within the team. */
    bool (*parcel)(struct sm_team *team, struct sm_target *worker, struct sm_error *error);
    bool (*grew)(struct sm_team *team, struct sm_target *worker, struct sm_error *error);
};

struct sm_team {
    const struct sm_team_handlers *handlers;
    const struct sm_settings *settings;
    struct sm_options options;
    const struct sm_watchlist *lied; /* about which the model may lie; NULL: all */
    struct sm_explored begin;        /* what each control block begins with */
    double alone;                    /* the first one works alone for so long */
    struct sm_target *workers;
    bool *busy;
    size_t n_workers, most; /* open; as many as there may be */
    bool cut;               /* a part was not explored */
    /* Set by the owner before it opens the team, if they are not those of this process. */
    const struct sm_list *environment;
    const struct sm_buffer *given_input;
    /* Its own. */
    struct sm_buffer input, knowledge;
    double opened, began, stopped; /* stopped 0: none was told to stop */
    double next_tick;              /* seconds */
    bool begins_again;
};

/* Opens the first worker; the others when they are needed. The caller keeps the settings. */
bool sm_team_open(struct sm_team *team, const struct sm_settings *settings, size_t most,
                  struct sm_error *error);
/* Runs until everything is explored, the time is over, or the user interrupts. */
bool sm_team_explore(struct sm_team *team, struct sm_error *error);
/* All end after their current execution. */
void sm_team_stop(struct sm_team *team);
void sm_team_close(struct sm_team *team);

/* The pieces of sm_team_explore, for an owner that hands out parts itself (member.h). The worker
   begins with this parcel; size 0: with everything. */
bool sm_team_start(struct sm_team *team, size_t worker, const void *parcel, size_t size,
                   struct sm_error *error);
/* Waits, at most for a tick, and calls the handlers. */
bool sm_team_wait(struct sm_team *team, struct sm_error *error);
/* The time is over, or the user interrupts: true once the workers have been given time to stop by
   themselves. */
bool sm_team_is_overdue(struct sm_team *team);
/* Asks for a checkpoint (enum sm_parcel_state); false: the worker is busy with another parcel. */
bool sm_team_ask(struct sm_team *team, size_t worker, uint32_t what);
/* Its parcel was fetched. */
void sm_team_fetched(struct sm_team *team, size_t worker);

#endif
