/* screen.c - see screen.h. */
#include "fix/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "base/words.h"
#include "campaign/plan.h"
#include "hunt/races.h"
#include "target/assume.h"
#include "target/input.h"
#include "target/outcome.h"
#include "target/record.h"
#include "target/watch.h"

enum { MOST_SECONDS = 20 }; /* of one execution, unless --timeout is given */

/* ---- what an execution shows ---- */

static bool counts(const struct sm_screen *screen, const char *variable)
{
    return screen->variable ? strcmp(variable, screen->variable) == 0
                            : !sm_list_has(screen->accepted, variable);
}

static char *race_of(const struct sm_screen *screen, const struct sm_target *target,
                     const struct sm_sites *sites)
{
    const struct sm_control *control = target->shared.control;
    struct sm_races races = {0};
    struct sm_variables variables = {0};
    char *found = NULL;
    sm_races_add(&races, control->races,
                 control->n_races < SM_MAX_RACES ? control->n_races : SM_MAX_RACES);
    sm_variables_find(&variables, &races, sites);
    for (size_t i = 0; !found && i < variables.n; i++)
        if (counts(screen, variables.items[i].name))
            found = sm_print("a race on %s is left", variables.items[i].name);
    sm_variables_free(&variables);
    sm_races_free(&races);
    return found;
}

static char *failure_of(const struct sm_screen *screen, const struct sm_outcome *outcome)
{
    if (screen->variable || outcome->failure.kind == SM_FAILURE_NONE)
        return NULL;
    return sm_print("%s: %s", sm_failure_words[outcome->failure.kind], outcome->failure.detail);
}

/* ---- executions ---- */

static bool write_witness(const struct sm_screen *screen, const struct sm_target *target,
                          const struct sm_outcome *outcome, const struct sm_sites *sites,
                          struct sm_error *error)
{
    struct sm_witness witness;
    char why[SM_WHY_SIZE];
    sm_record_execution(&witness, target, outcome, sites);
    bool ok = sm_witness_write(screen->path, &witness, why) ||
              sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s", screen->path, why);
    sm_witness_free(&witness);
    return ok;
}

/* Schedules alternate, as `detect` plans them. */
static struct sm_options options_of(const struct sm_screen *screen, uint64_t i)
{
    struct sm_plan plan = {
        .options = screen->settings->options, .watch = SM_WATCH_ALL, .wide_every = 1};
    plan.options.model = SM_MODEL_SC;
    plan.options.sample = 0;
    plan.options.races = 2;
    plan.options.record = 1;
    return sm_plan_trial(&plan, i).options;
}

static bool execute(const struct sm_screen *screen, struct sm_target *target, uint64_t i,
                    char **found, struct sm_error *error)
{
    const struct sm_settings *settings = screen->settings;
    const struct sm_expectation expectation = {
        .exit_status = settings->expect_exit == SM_NO_EXPECTATION ? 0 : (int)settings->expect_exit,
        .oracle = settings->oracle};
    struct sm_options options = options_of(screen, i);
    struct sm_outcome outcome = {0};
    struct sm_sites sites = {0};
    struct sm_ended ended;
    bool ok = sm_target_run(target, &options, &ended, error) &&
              sm_outcome_judge(&outcome, target, &ended, &expectation, error);
    if (ok && !outcome.assumed) {
        sm_shared_sites(&target->shared, &sites);
        sm_outcome_locate(&outcome, target, &sites);
        *found = failure_of(screen, &outcome);
        if (!*found)
            *found = race_of(screen, target, &sites);
    }
    ok = ok && (!*found || write_witness(screen, target, &outcome, &sites, error));
    sm_sites_free(&sites);
    sm_outcome_free(&outcome);
    return ok;
}

static bool is_over(const struct sm_screen *screen)
{
    return sm_interrupt_signal() || (screen->deadline > 0 && sm_now() > screen->deadline);
}

bool sm_screen(const struct sm_screen *screen, char **found, struct sm_error *error)
{
    const struct sm_settings *settings = screen->settings;
    struct sm_target target = {.input = -1, .output.fd = -1, .errors.fd = -1};
    struct sm_buffer none = {0};
    int input = sm_input_from(&none, error);
    bool ok = input >= 0 && sm_target_open(&target, settings->operands.items[0],
                                           settings->operands.items, input, -1, -1, error);
    *found = NULL;
    target.limits.seconds = settings->timeout > 0 ? settings->timeout : MOST_SECONDS;
    ok = ok && sm_assume_file(&target, screen->assumption, error) &&
         sm_watch(&target, &(struct sm_list){0}, error);
    for (unsigned i = 0; ok && !*found && i < screen->executions && !is_over(screen); i++)
        ok = execute(screen, &target, i, found, error);
    if (input >= 0)
        sm_target_close(&target);
    return ok;
}
