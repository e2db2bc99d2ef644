/*
 * member.h - one worker of an exploration that is shared through a directory (parcels.h).
 *
 * It claims a parcel and lets the program explore it. Meanwhile it signals that it is alive,
 * commits what was counted so far from time to time (so that little is lost with a worker: a fifth
 * of a second, or 2% of what it has worked), and gives a part away when another worker is idle.
 * Without a parcel it asks the worker that has most left, by that one's estimate. A worker that has
 * explored for less than a second of processor time since it began or gave a part away, or would be
 * finished in a second, does not answer: the taker of a part has to learn the trees of the
 * program's threads (verify/trees/learn.h) again.
 */
#ifndef SM_CAMPAIGN_MEMBER_H
#define SM_CAMPAIGN_MEMBER_H

#include "campaign/parcels.h"
#include "campaign/team.h"

struct sm_member {
    struct sm_team team; /* first; opened by the owner, with one worker and these handlers: */
    bool (*violation)(struct sm_team *team, struct sm_target *worker, struct sm_error *error);
    bool (*is_enough)(struct sm_member *member); /* may be NULL */
    void (*show)(struct sm_member *member);      /* called now and then; may be NULL */
    struct sm_parcels *parcels;                  /* opened by the owner */
    /* Its own. */
    struct sm_team_handlers handlers;
    struct sm_part before;               /* that the process has counted and that is committed */
    bool is_void;                        /* what the process counts from now on is ignored */
    bool leaves;                         /* ends after the next commit */
    struct sm_explored_saved checkpoint; /* the last one of this parcel */
    double split_at;                     /* its processor time when the last part was given away */
    double began, saved, looked, left_at;
};

/* Runs until everything is explored, by any worker, or the time is over, or the user interrupts:
   then what was claimed is left for others. */
bool sm_member_explore(struct sm_member *member, struct sm_error *error);

#endif
