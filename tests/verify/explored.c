#include "explored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../campaign/member.h"
#include "../../target/input.h"

struct sm_options explore_options(uint64_t model)
{
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    options.model = model;
    options.explore = SM_EXPLORE_EVERYTHING;
    return options;
}

bool explore_some(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                  bool prescient)
{
    struct sm_options options = explore_options(model);
    struct sm_error error;
    struct sm_ended ended;
    struct sm_buffer no_input = {0};
    int input = sm_input_from(&no_input, &error);
    *opened = input >= 0 && sm_target_open(target, arguments[0], arguments, input, -1, -1, &error);
    if (!*opened)
        return false;
    target->shared.control->watch_mode = SM_WATCH_ALL;
    options.prescient = prescient;
    const struct sm_control *control = target->shared.control;
    bool ok = sm_target_run(target, &options, &ended, &error) &&
              control->explored.state == SM_EXPLORED_DONE;
    if (!ok)
        printf("%s: not explored: %s\n", arguments[1], control->detail);
    return ok;
}

bool explore_litmus(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                    bool prescient)
{
    if (!explore_some(target, opened, arguments, model, prescient))
        return false;
    if (target->shared.control->explored.cut)
        printf("%s: not everything was explored\n", arguments[1]);
    return !target->shared.control->explored.cut;
}

/* ---- by several processes ---- */

struct outcome {
    uint64_t hash, count;
};

struct gathering {
    struct sm_team team; /* first: its handlers get it */
    struct explored *explored;
    bool complete;
    struct outcome *outcomes; /* each once */
    size_t n_outcomes;
};

static void add_outcome(struct gathering *all, uint64_t hash, uint64_t count)
{
    for (size_t i = 0; i < all->n_outcomes; i++)
        if (all->outcomes[i].hash == hash) {
            all->outcomes[i].count += count;
            return;
        }
    all->outcomes = sm_resize(all->outcomes, (all->n_outcomes + 1) * sizeof *all->outcomes);
    all->outcomes[all->n_outcomes++] = (struct outcome){hash, count};
}

static bool add_part(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct gathering *all = (struct gathering *)team;
    const struct sm_control *control = worker->shared.control;
    const char *at = (const char *)worker->shared.trace;
    (void)error;
    all->explored->parts++;
    all->explored->executions += control->executions;
    all->explored->stands_for += control->explored.stands_for;
    all->explored->blocked += control->explored.blocked;
    all->complete &=
        control->explored.state == SM_EXPLORED_DONE &&
        (!control->explored.cut || control->explored.proved > team->options.preemptions);
    for (uint32_t i = 0; all->complete && i < control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        memcpy(&header, at, sizeof header);
        add_outcome(all, sm_outcome_hash(at + sizeof header, header.size), header.count);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    return true;
}

static bool count_violation(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct gathering *all = (struct gathering *)team;
    (void)worker;
    (void)error;
    all->explored->violations++;
    return true;
}

static void begin_again(struct sm_team *team)
{
    struct gathering *all = (struct gathering *)team;
    *all->explored = (struct explored){0};
    all->n_outcomes = 0;
    all->complete = true;
}

uint64_t mix_outcome(uint64_t hash)
{
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static void hash_outcomes(struct gathering *all)
{
    for (size_t i = 0; i < all->n_outcomes; i++) {
        uint64_t hash = mix_outcome(all->outcomes[i].hash);
        all->explored->outcomes += hash;
        all->explored->counts += hash * all->outcomes[i].count;
    }
    free(all->outcomes);
}

bool explore_program(struct explored *explored, char **arguments, const struct sm_options *options,
                     size_t jobs)
{
    static const struct sm_team_handlers handlers = {
        .violation = count_violation, .ended = add_part, .begin_again = begin_again};
    struct gathering all = {.team = {.handlers = &handlers, .options = *options},
                            .explored = explored,
                            .complete = true};
    struct sm_settings settings = {.operands.n = 0};
    struct sm_error error = {0};
    *explored = (struct explored){0};
    for (char **argument = arguments; *argument; argument++)
        sm_list_add(&settings.operands, *argument);
    if (jobs > 1)
        all.team.begin.parcel = SM_PARCEL_WANTED;
    bool ok = sm_team_open(&all.team, &settings, jobs, &error) &&
              sm_team_explore(&all.team, &error) && all.complete && !all.team.cut;
    if (!ok)
        printf("%s %s: not explored: %s\n", arguments[0], arguments[1], error.text);
    hash_outcomes(&all);
    sm_team_close(&all.team);
    sm_list_free(&settings.operands);
    return ok;
}

/* ---- by parcels ---- */

static bool ignore_violation(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    (void)team;
    (void)worker;
    (void)error;
    return true;
}

static bool add_sum(struct explored *explored, struct sm_parcels *parcels, struct sm_error *error)
{
    struct gathering all = {.explored = explored};
    uint64_t executions;
    double left;
    const struct sm_part *sum = sm_parcels_sum(parcels, &executions, &left, error);
    if (!sum || !sm_parcels_are_done(parcels) || sum->cut)
        return false;
    explored->executions = sum->executions;
    explored->stands_for = sum->stands_for;
    explored->blocked = sum->blocked;
    for (uint32_t i = 0; i < sum->n_outcomes; i++)
        add_outcome(&all, sm_outcome_hash(sum->outcomes[i].text, sum->outcomes[i].size),
                    sum->outcomes[i].count);
    hash_outcomes(&all);
    return true;
}

/* But for the two that every round has. */
static unsigned count_results(const char *directory)
{
    unsigned n = 0;
    char *command = sm_print("ls '%s'/round-*/done | grep -c -e -", directory);
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%u", &n) != 1)
        n = 0;
    if (pipe)
        pclose(pipe);
    free(command);
    return n;
}

static void remove_directory(const char *directory)
{
    char *command = sm_print("rm -rf '%s'", directory);
    if (system(command) != 0)
        printf("%s stays\n", directory);
    free(command);
}

bool explore_parcels(struct explored *explored, char **arguments, const struct sm_options *options,
                     const char *directory)
{
    struct sm_member member = {.team = {.options = *options}, .violation = ignore_violation};
    struct sm_settings settings = {.operands.n = 0};
    struct sm_parcels_plan plan = {0};
    struct sm_error error = {0};
    *explored = (struct explored){0};
    for (char **argument = arguments; *argument; argument++)
        sm_list_add(&settings.operands, *argument);
    sm_buffer_text(&plan.lines, "test\n");
    member.team.begin.parcel = SM_PARCEL_SPLIT;
    member.parcels = sm_parcels_open(directory, &plan, 1000, &error);
    bool ok = member.parcels && sm_team_open(&member.team, &settings, 1, &error) &&
              sm_member_explore(&member, &error) && add_sum(explored, member.parcels, &error);
    if (!ok)
        printf("%s %s: not explored: %s\n", arguments[0], arguments[1], error.text);
    explored->parts = count_results(directory);
    sm_team_close(&member.team);
    sm_parcels_close(member.parcels);
    sm_parcels_plan_free(&plan);
    sm_list_free(&settings.operands);
    remove_directory(directory);
    return ok;
}
