#include "campaign/member.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/interrupt.h"
#include "base/now.h"

/* Seconds. A commit costs a few milliseconds and takes a file in DIR/round-N/done: with a period
   that grows, a worker makes five hundred in a day. A part costs its worker 0.05 to 0.1 s of
   processor for the trees (fib_bench): WORTH_SPLITTING is ten times that, also of processor
   time. */
#define FIRST_PERIOD 0.2
#define PERIOD_SHARE 0.02
#define LONGEST_PERIOD 300.0
#define LOOK_PERIOD 0.05
#define WORTH_SPLITTING 1.0
#define LEAVE_SECONDS 2.0
enum { FIRST_IDLE_MS = 5, LONGEST_IDLE_MS = 250 };

static struct sm_member *member_of(struct sm_team *team)
{
    return (struct sm_member *)team;
}

static struct sm_control *control_of(const struct sm_member *member)
{
    return member->team.workers[0].shared.control;
}

/* The process ends after the current execution, and what it counted is ignored. */
static void make_void(struct sm_member *member)
{
    member->is_void = true;
    control_of(member)->explored.stop = 1;
}

/* ---- commits ---- */

static const char *memory_end(const struct sm_target *worker)
{
    return (const char *)(worker->shared.trace + worker->shared.control->trace_limit);
}

/* Executions that are left, by the estimate; 0: unknown, also if there were already more. */
static double left_of(const struct sm_member *member)
{
    const struct sm_control *control = control_of(member);
    double left = control->explored.estimate - (double)control->executions;
    return left > 0 ? left : 0;
}

/* Commits what was counted since the last commit. False without an error: another worker has
   committed it. */
static bool commit(struct sm_member *member, struct sm_target *worker,
                   const struct sm_explored_saved *counted, const char *outcomes,
                   struct sm_left_over *rest, size_t n, struct sm_error *error)
{
    struct sm_part now, part;
    const char *end = memory_end(worker);
    sm_part_take(&now, worker->shared.control, counted, outcomes, end);
    sm_part_take(&part, worker->shared.control, counted, outcomes, end);
    sm_part_subtract(&part, &member->before);
    bool ok = sm_parcels_commit(member->parcels, &part, rest, n, error);
    sm_part_free(&part);
    sm_part_free(&member->before);
    member->before = now;
    member->saved = sm_now();
    return ok;
}

static bool take_parcel(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct sm_member *member = member_of(team);
    const struct sm_explored *explored = &worker->shared.control->explored;
    const struct sm_explored_saved saved = explored->saved;
    const char *given = (const char *)worker->shared.trace, *kept = given + saved.given_size;
    size_t outcomes = (saved.given_size + explored->parcel_size + 7) & ~7ul;
    size_t n = saved.given_size ? 2 : 1;
    double left = left_of(member) / (double)n;
    struct sm_left_over rest[] = {
        {.bytes = kept, .size = explored->parcel_size, .left = left},
        {.bytes = given, .size = saved.given_size, .left = left},
    };
    member->checkpoint = saved;
    member->split_at = n > 1 ? saved.processor : member->split_at;
    if (!member->is_void && !commit(member, worker, &saved, given + outcomes, rest, n, error)) {
        if (error->status)
            return false;
        make_void(member);
    }
    if (member->leaves && !member->is_void) {
        sm_parcels_release(member->parcels);
        make_void(member);
    }
    sm_team_fetched(team, 0);
    return true;
}

static bool died(const struct sm_target *worker, struct sm_error *error)
{
    const struct sm_control *control = worker->shared.control;
    if (control->end == SM_END_REFUSED)
        return sm_target_refused(worker, error);
    if (control->end == SM_END_ERROR)
        return sm_fail(error, SM_STATUS_INTERNAL, "internal error in the runtime: %.*s",
                       SM_DETAIL_SIZE / 4, control->detail);
    return sm_fail(error, SM_STATUS_TARGET,
                   "verify: the process that explored was killed: by the kernel, for lack of "
                   "memory? its parcel is left for others; --memory and --jobs bound what is used");
}

static bool take_end(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct sm_member *member = member_of(team);
    const struct sm_control *control = worker->shared.control;
    const struct sm_explored_saved counted = {.executions = control->executions,
                                              .blocked = control->explored.blocked,
                                              .stands_for = control->explored.stands_for};
    if (member->is_void)
        return true;
    if (control->explored.state != SM_EXPLORED_DONE || control->end != SM_END_EXIT)
        return died(worker, error);
    return commit(member, worker, &counted, (const char *)worker->shared.trace, NULL, 0, error) ||
           !error->status;
}

static bool take_growth(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct sm_member *member = member_of(team);
    return member->is_void ||
           sm_parcels_begin_again(member->parcels, worker->shared.trace,
                                  worker->shared.control->explored.parcel_size, error);
}

/* ---- while the program explores ---- */

static bool is_over(struct sm_member *member)
{
    double limit = member->team.settings->time;
    double grace = limit / 10 < LEAVE_SECONDS ? limit / 10 : LEAVE_SECONDS;
    return sm_interrupt_signal() || (limit > 0 && sm_now() > member->team.opened + limit - grace) ||
           (member->is_enough && member->is_enough(member));
}

/* Not if it is finished soon anyway, nor again before this much was explored: so the number of
   parts is bounded by the work, also on a loaded machine. */
static bool is_worth_splitting(const struct sm_member *member)
{
    const struct sm_explored_saved *saved = &member->checkpoint;
    double left = left_of(member), rate = (double)saved->executions / saved->processor;
    return saved->processor - member->split_at > WORTH_SPLITTING &&
           (left <= 0 || left > rate * WORTH_SPLITTING);
}

static bool is_commit_due(const struct sm_member *member)
{
    double period = (sm_now() - member->began) * PERIOD_SHARE;
    period = period < FIRST_PERIOD ? FIRST_PERIOD : period;
    return sm_now() - member->saved > (period < LONGEST_PERIOD ? period : LONGEST_PERIOD);
}

static void leave(struct sm_member *member)
{
    member->leaves = true;
    member->left_at = sm_now();
}

static void look_around(struct sm_member *member)
{
    const struct sm_control *control = control_of(member);
    member->looked = sm_now();
    uint64_t counted = control->executions;
    counted -= counted < member->before.executions ? counted : member->before.executions;
    if (!sm_parcels_beat(member->parcels, counted, left_of(member)))
        make_void(member);
    else if (!member->leaves && is_over(member))
        leave(member);
    else if (sm_parcels_is_asked(member->parcels) && is_worth_splitting(member))
        sm_team_ask(&member->team, 0, SM_PARCEL_SPLIT);
    if (member->leaves || is_commit_due(member))
        sm_team_ask(&member->team, 0, SM_PARCEL_SAVE);
}

/* An execution that does not end: the parcel is returned as it was at the last commit. */
static bool is_stuck(const struct sm_member *member)
{
    return member->leaves && sm_now() - member->left_at > LEAVE_SECONDS;
}

static bool explore_parcel(struct sm_member *member, const struct sm_buffer *parcel,
                           struct sm_error *error)
{
    struct sm_team *team = &member->team;
    sm_part_free(&member->before);
    member->is_void = false;
    member->checkpoint = (struct sm_explored_saved){0};
    member->split_at = 0;
    member->saved = member->looked = sm_now();
    bool ok = sm_team_start(team, 0, parcel->data, parcel->size, error);
    while (ok && team->busy[0] && !is_stuck(member)) {
        ok = sm_team_wait(team, error);
        if (ok && team->busy[0] && !member->is_void && sm_now() - member->looked > LOOK_PERIOD)
            look_around(member);
        if (member->show)
            member->show(member);
    }
    sm_parcels_release(member->parcels);
    return ok;
}

/* ---- all together ---- */

static void idle(struct sm_member *member, int *milliseconds)
{
    struct pollfd interrupt = {.fd = sm_interrupt_fd(), .events = POLLIN};
    sm_parcels_beat(member->parcels, 0, 0);
    sm_parcels_ask(member->parcels);
    poll(&interrupt, 1, *milliseconds);
    *milliseconds = *milliseconds < LONGEST_IDLE_MS / 2 ? 2 * *milliseconds : LONGEST_IDLE_MS;
    if (member->show)
        member->show(member);
}

bool sm_member_explore(struct sm_member *member, struct sm_error *error)
{
    struct sm_buffer parcel = {0};
    enum sm_claim claim = SM_CLAIM_NOTHING;
    int milliseconds = FIRST_IDLE_MS;
    bool ok = true;
    member->handlers = (struct sm_team_handlers){.violation = member->violation,
                                                 .ended = take_end,
                                                 .parcel = take_parcel,
                                                 .grew = take_growth};
    member->team.handlers = &member->handlers;
    member->team.begin.watched = SM_WATCHED_PART;
    member->began = sm_now();
    while (ok && claim != SM_CLAIM_END && !member->leaves && !is_over(member)) {
        claim = sm_parcels_claim(member->parcels, &parcel, error);
        ok = claim != SM_CLAIM_ERROR;
        if (claim == SM_CLAIM_NOTHING)
            idle(member, &milliseconds);
        if (claim == SM_CLAIM_PARCEL) {
            ok = explore_parcel(member, &parcel, error);
            milliseconds = FIRST_IDLE_MS;
        }
    }
    sm_buffer_free(&parcel);
    sm_part_free(&member->before);
    return ok;
}
