#include "campaign/team.h"

#include <linux/futex.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "target/assume.h"
#include "target/input.h"

/* Workers are asked to stop this long before --time is over, or a tenth of it: an execution that
   has not ended by then is killed. */
#define GRACE_SECONDS 2.0
enum { IDLE_TICK_MS = 2 };
/* Messages of a worker in its shared memory wake nobody up. Most explorations of a hunt end, or
   find a violation, within 3 ms: so we poll soon after each start and each violation, then less and
   less often. With SM_TARGET_TICK_MS alone a violation took 20 ms, a third of the time to a first
   witness. */
#define FIRST_TICK 0.0002

/* ---- workers ---- */

static bool open_worker(struct sm_team *team, struct sm_error *error)
{
    struct sm_target *worker = &team->workers[team->n_workers++];
    char **operands = team->settings->operands.items;
    int input = sm_input_from(&team->input, error);
    if (input < 0 || !sm_target_open(worker, operands[0], operands, input, -1, -1, error))
        return false;
    if (team->environment) {
        sm_list_free(&worker->environment);
        for (size_t i = 0; i < team->environment->n; i++)
            sm_list_add(&worker->environment, team->environment->items[i]);
    }
    if (team->settings->memory)
        worker->limits.memory = team->settings->memory << 20;
    worker->serve = true;
    worker->shared.control->watch_mode = SM_WATCH_ALL;
    return sm_assume_file(worker, team->settings->assume_fix, error) &&
           sm_target_prepare(worker, error);
}

static bool read_input(struct sm_team *team, struct sm_error *error)
{
    if (team->given_input) {
        sm_buffer_add(&team->input, team->given_input->data, team->given_input->size);
        return true;
    }
    int fd = sm_input_spool(STDIN_FILENO, error);
    if (fd < 0)
        return false;
    struct sm_capture all = {.fd = fd, .pass_to = -1};
    sm_capture_read(&all, &team->input);
    close(fd);
    return true;
}

bool sm_team_open(struct sm_team *team, const struct sm_settings *settings, size_t most,
                  struct sm_error *error)
{
    if (!read_input(team, error))
        return false;
    team->settings = settings;
    team->opened = sm_now();
    team->most = most;
    team->busy = sm_new(most * sizeof *team->busy);
    team->workers = sm_new(most * sizeof *team->workers);
    for (size_t i = 0; i < most; i++)
        team->workers[i] = (struct sm_target){.input = -1, .output.fd = -1, .errors.fd = -1};
    return open_worker(team, error);
}

void sm_team_close(struct sm_team *team)
{
    for (size_t i = 0; i < team->n_workers; i++)
        sm_target_close(&team->workers[i]);
    free(team->workers);
    free(team->busy);
    sm_buffer_free(&team->input);
    sm_buffer_free(&team->knowledge);
}

static bool lies_alike(const struct sm_control *a, const struct sm_control *b)
{
    bool alike = a->n_mappings == b->n_mappings;
    for (uint32_t i = 0; alike && i < a->n_mappings; i++)
        alike = a->mappings[i].base == b->mappings[i].base;
    return alike;
}

/* An idle worker; false: there is none, or an error. */
static bool find_idle(struct sm_team *team, size_t *idle, struct sm_error *error)
{
    for (*idle = 0; *idle < team->n_workers; ++*idle)
        if (!team->busy[*idle])
            return true;
    if (team->n_workers == team->most || !open_worker(team, error))
        return false;
    if (lies_alike(team->workers[0].shared.control, team->workers[*idle].shared.control))
        return true;
    sm_target_close(&team->workers[--team->n_workers]);
    team->most = team->n_workers;
    return false;
}

bool sm_team_start(struct sm_team *team, size_t i, const void *parcel, size_t size,
                   struct sm_error *error)
{
    struct sm_target *worker = &team->workers[i];
    struct sm_control *control = worker->shared.control;
    control->explored = team->begin;
    control->executions = 0;
    control->lie_mode = team->lied ? SM_LIE_LIST : SM_LIE_ALL;
    if (team->lied)
        sm_watchlist_bits(team->lied, control->n_sites, control->lie_bits);
    if (size) {
        memcpy(worker->shared.trace, parcel, size);
        control->explored.parcel = SM_PARCEL_BEGIN;
        control->explored.parcel_size = size;
    }
    team->busy[i] = true;
    team->next_tick = FIRST_TICK;
    return sm_target_start(worker, &team->options, error);
}

static size_t count_busy(const struct sm_team *team)
{
    size_t n = 0;
    for (size_t i = 0; i < team->n_workers; i++)
        n += team->busy[i];
    return n;
}

static void set_and_wake(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE); /* what we read or wrote before it */
    syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

/* ---- stopping ---- */

void sm_team_stop(struct sm_team *team)
{
    for (size_t i = 0; i < team->n_workers; i++)
        team->workers[i].shared.control->explored.stop = 1;
    if (!team->stopped)
        team->stopped = sm_now();
}

bool sm_team_is_overdue(struct sm_team *team)
{
    double limit = team->settings->time, time = sm_now();
    double grace = limit > 0 && limit / 10 < GRACE_SECONDS ? limit / 10 : GRACE_SECONDS;
    bool due = limit > 0 && time > team->opened + limit - grace;
    if (!team->stopped && (sm_interrupt_signal() || due))
        sm_team_stop(team);
    return team->stopped && time > team->stopped + grace;
}

static bool is_ending(const struct sm_team *team)
{
    return team->stopped || team->begins_again;
}

/* ---- parts ---- */

static struct sm_explored *explored(const struct sm_team *team, size_t i)
{
    return &team->workers[i].shared.control->explored;
}

/* acquire: the parcel is whole */
static bool has_parcel(const struct sm_team *team, size_t i)
{
    return __atomic_load_n(&explored(team, i)->parcel, __ATOMIC_ACQUIRE) == SM_PARCEL_READY;
}

static bool hand_over(struct sm_team *team, size_t from, struct sm_error *error)
{
    size_t to = 0;
    bool ok = true;
    if (is_ending(team))
        team->cut |= !team->begins_again;
    else if (find_idle(team, &to, error))
        ok = sm_team_start(team, to, team->workers[from].shared.trace,
                           explored(team, from)->parcel_size, error);
    else
        return !error->status;
    sm_team_fetched(team, from);
    return ok;
}

bool sm_team_ask(struct sm_team *team, size_t worker, uint32_t what)
{
    uint32_t none = SM_PARCEL_NONE; /* relaxed: nothing else is read */
    return __atomic_compare_exchange_n(&explored(team, worker)->parcel, &none, what, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void sm_team_fetched(struct sm_team *team, size_t worker)
{
    set_and_wake(&explored(team, worker)->parcel, SM_PARCEL_NONE);
}

/* As many parts as there are idle workers. */
static void ask_for_parts(struct sm_team *team)
{
    size_t idle = team->most - count_busy(team);
    if (is_ending(team) || sm_now() < team->began + team->alone)
        return;
    for (size_t i = 0; i < team->n_workers; i++)
        if (team->busy[i] && explored(team, i)->parcel != SM_PARCEL_NONE)
            idle -= idle > 0;
    for (size_t i = 0; i < team->n_workers && idle; i++)
        idle -= team->busy[i] && sm_team_ask(team, i, SM_PARCEL_WANTED);
}

/* ---- the loop ---- */

static void take_knowledge(struct sm_team *team, const struct sm_target *worker)
{
    if (!team->begins_again) {
        team->knowledge.size = 0;
        sm_buffer_add(&team->knowledge, worker->shared.trace,
                      worker->shared.control->explored.parcel_size);
    }
    team->begins_again = true;
    for (size_t i = 0; i < team->n_workers; i++)
        explored(team, i)->stop = 1;
}

static bool take_end(struct sm_team *team, size_t i, struct sm_error *error)
{
    struct sm_target *worker = &team->workers[i];
    struct sm_ended ended;
    if (sm_target_look(worker, true, &ended, error) != SM_LOOK_OVER)
        return false;
    team->busy[i] = false;
    if (explored(team, i)->state == SM_EXPLORED_GREW && team->handlers->grew)
        return team->handlers->grew(team, worker, error);
    if (explored(team, i)->state == SM_EXPLORED_GREW) {
        take_knowledge(team, worker);
        return true;
    }
    return team->handlers->ended(team, worker, error);
}

static bool look_at(struct sm_team *team, size_t i, bool is_over, struct sm_error *error)
{
    struct sm_target *worker = &team->workers[i];
    /* acquire: the execution that it shows */
    if (__atomic_load_n(&explored(team, i)->state, __ATOMIC_ACQUIRE) == SM_EXPLORED_VIOLATION) {
        if (!team->handlers->violation(team, worker, error))
            return false;
        team->next_tick = FIRST_TICK;
        set_and_wake(&explored(team, i)->state, SM_EXPLORED_RUNNING);
    }
    if (is_over)
        return take_end(team, i, error);
    sm_target_pass_output(worker);
    if (!has_parcel(team, i) || explored(team, i)->state == SM_EXPLORED_GREW)
        return true;
    return team->handlers->parcel ? team->handlers->parcel(team, worker, error)
                                  : hand_over(team, i, error);
}

/* Doubles each time. */
static struct timespec next_tick(struct sm_team *team)
{
    double most = (count_busy(team) < team->most ? IDLE_TICK_MS : SM_TARGET_TICK_MS) / 1e3;
    double tick = team->next_tick < most ? team->next_tick : most;
    team->next_tick = 2 * tick;
    return (struct timespec){.tv_nsec = (long)(tick * 1e9)};
}

bool sm_team_wait(struct sm_team *team, struct sm_error *error)
{
    size_t n = team->n_workers;
    struct pollfd *files = sm_new((n + 1) * sizeof *files);
    for (size_t i = 0; i < n; i++)
        files[i] = (struct pollfd){.fd = team->busy[i] ? team->workers[i].server_fd : -1,
                                   .events = POLLIN};
    files[n] = (struct pollfd){.fd = team->stopped ? -1 : sm_interrupt_fd(), .events = POLLIN};
    struct timespec tick = next_tick(team);
    ppoll(files, n + 1, &tick, NULL);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        if (files[i].fd >= 0)
            ok = look_at(team, i, files[i].revents, error);
    free(files);
    return ok;
}

/* Killed when the team is closed; their results count. */
static bool give_up(struct sm_team *team, struct sm_error *error)
{
    bool ok = true;
    team->cut = true;
    for (size_t i = 0; ok && i < team->n_workers; i++)
        ok = !team->busy[i] || team->handlers->ended(team, &team->workers[i], error);
    return ok;
}

static bool begin_again(struct sm_team *team, struct sm_error *error)
{
    team->handlers->begin_again(team);
    team->begins_again = team->cut = false;
    return sm_team_start(team, 0, team->knowledge.data, team->knowledge.size, error);
}

bool sm_team_explore(struct sm_team *team, struct sm_error *error)
{
    team->began = sm_now();
    bool ok = sm_team_start(team, 0, NULL, 0, error);
    while (ok && count_busy(team)) {
        if (sm_team_is_overdue(team))
            return give_up(team, error);
        ok = sm_team_wait(team, error);
        if (ok && !count_busy(team) && team->begins_again && !team->stopped)
            ok = begin_again(team, error);
        else
            ask_for_parts(team);
        if (team->handlers->tick)
            team->handlers->tick(team);
    }
    team->cut |= team->begins_again;
    return ok;
}
