/*
 * overhead.c - what the profiler and a prescient execution cost, against the program itself.
 *
 *   prescient-overhead NATIVE PROGRAM SMALL LARGE
 *
 * PROGRAM is NATIVE built with stalemate cc; both take a size. Races are looked for with the
 * small size; then each way is timed with the large one, the best of REPEAT executions, on the
 * racy variables alone, as in a hunt. The prescient executions follow the schedule of a profile
 * and tell one load the future; only those count that come true and end well, and if none
 * does, one that is told nothing. Prints the seconds natively, profiled and prescient, the loads
 * that were told the future, and the events.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../hunt/prescient.h"
#include "../../hunt/races.h"

enum { REPEAT = 3, DETECTIONS = 4, ATTEMPTS = 12 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double run_natively(const char *program, const char *size)
{
    double best = 1e9;
    for (int i = 0; i < REPEAT; i++) {
        char *const arguments[] = {(char *)program, (char *)size, NULL};
        pid_t pid;
        double start = now();
        if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) != 0)
            return -1;
        waitpid(pid, NULL, 0);
        if (now() - start < best)
            best = now() - start;
    }
    return best;
}

static bool open_campaign(struct sm_campaign *campaign, struct sm_settings *settings,
                          const char *program, const char *size, struct sm_error *error)
{
    char *arguments[] = {"hunt", "--jobs", "1", "--", (char *)program, (char *)size, NULL};
    return sm_settings_parse(settings, SM_COMMAND_HUNT, true, arguments, error) &&
           sm_campaign_open(campaign, settings, NULL, error);
}

/* The sites of all variables that race with the small size. */
static bool find_racy(const char *program, const char *size, struct sm_watchlist *racy,
                      struct sm_error *error)
{
    struct sm_campaign campaign;
    struct sm_settings settings;
    struct sm_races races = {0};
    struct sm_variables variables;
    if (!open_campaign(&campaign, &settings, program, size, error))
        return false;
    struct sm_plan plan = {.options = settings.options, .watch = SM_WATCH_ALL};
    plan.options.model = SM_MODEL_SC;
    plan.options.races = 1;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, DETECTIONS);
    bool ok = sm_campaign_run(&campaign, trials, DETECTIONS, error);
    for (size_t i = 0; ok && i < DETECTIONS; i++)
        sm_races_add(&races, trials[i].result.races, trials[i].result.n_races);
    sm_variables_find(&variables, &races, &campaign.sites);
    for (size_t i = 0; i < variables.n; i++)
        for (size_t k = 0; k < variables.items[i].sites.n; k++)
            sm_watchlist_add(racy, variables.items[i].sites.sites[k]);
    free(trials);
    sm_campaign_close(&campaign);
    return ok;
}

/* As sm_prescience_round would, but the profile's time is wanted too. */
static bool measure(struct sm_campaign *campaign, const struct sm_settings *settings,
                    const struct sm_watchlist *racy, double *profile, double *prescient,
                    uint64_t *told, uint64_t *events, struct sm_error *error)
{
    struct sm_plan plan = {.options = settings->options,
                           .watch = SM_WATCH_LIST,
                           .watched = racy,
                           .lied = racy,
                           .fenced = campaign->fenced};
    plan.options.heuristic = SM_HEURISTIC_SC;
    plan.options.schedule = SM_SCHEDULE_RANDOM;
    struct sm_trial trial = sm_plan_trial(&plan, 0);
    struct sm_outcome outcome;
    trial.options.profile = 1;
    trial.want_choices = true;
    for (int i = 0; i < REPEAT; i++) {
        sm_result_free(&trial.result);
        if (!sm_campaign_one(campaign, &trial, &outcome, error))
            return false;
        if (outcome.seconds < *profile)
            *profile = outcome.seconds;
        sm_outcome_free(&outcome);
    }
    *events = trial.result.facts.events;
    struct sm_trial look = trial;
    look.options.profile = 0;
    look.options.prescient = 1;
    look.options.schedule = SM_SCHEDULE_FUZZY;
    look.want_choices = false;
    look.choices = trial.result.choices;
    look.n_choices = trial.result.n_choices;
    size_t n = trial.result.n_foreseen;
    for (size_t i = 0, good = 0; n && i < ATTEMPTS && good < REPEAT; i++) {
        look.predictions = &trial.result.foreseen[i * (n - 1) / ATTEMPTS];
        look.n_predictions = i + REPEAT < ATTEMPTS; /* none, if nothing comes true and ends well */
        look.result = (struct sm_result){0};
        if (!sm_campaign_one(campaign, &look, &outcome, error))
            return false;
        if (!look.result.facts.unvalidated && outcome.exited) {
            good++;
            *told += look.result.facts.future;
            if (outcome.seconds < *prescient)
                *prescient = outcome.seconds;
        }
        sm_outcome_free(&outcome);
    }
    sm_result_free(&trial.result);
    return true;
}

int main(int argc, char **argv)
{
    struct sm_campaign campaign;
    struct sm_settings settings;
    struct sm_watchlist racy = {0};
    struct sm_error error = {0};
    double profile = 1e9, prescient = 1e9;
    uint64_t told = 0, events = 0;
    if (argc != 5) {
        fprintf(stderr, "usage: prescient-overhead NATIVE PROGRAM SMALL LARGE\n");
        return 2;
    }
    if (!find_racy(argv[2], argv[3], &racy, &error) ||
        !open_campaign(&campaign, &settings, argv[2], argv[4], &error) ||
        !measure(&campaign, &settings, &racy, &profile, &prescient, &told, &events, &error))
        return sm_error_print(&error);
    sm_campaign_close(&campaign);
    printf("%.4f %.4f %.4f %lu %lu\n", run_natively(argv[1], argv[4]), profile, prescient,
           (unsigned long)told, (unsigned long)events);
    return 0;
}
