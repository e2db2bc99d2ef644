/*
 * race_free.c - programs without races have no future to look into.
 *
 *   prescient-race-free SEEDS PROGRAM...
 *
 * Executes each program under hb with lies allowed about everything, and the profiler and the
 * race analysis looking on. An execution without a race must have no load with a future value,
 * for only stores that race with a load are in its future. With SEEDS of at least 1 there is
 * at least one such execution of each program, or the program is not one of this suite.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../../campaign/campaign.h"
#include "../../campaign/plan.h"

struct sums {
    uint64_t executions, racy, foreseen;
};

static bool execute(const char *program, uint64_t seeds, struct sums *sums, struct sm_error *error)
{
    char *arguments[] = {"hunt", "--jobs", "1", "--timeout", "60", "--", (char *)program, NULL};
    struct sm_settings settings;
    struct sm_campaign campaign;
    struct sm_watchlist all = {0};
    if (!sm_settings_parse(&settings, SM_COMMAND_HUNT, true, arguments, error) ||
        !sm_campaign_open(&campaign, &settings, NULL, error))
        return false;
    all.n = campaign.workers[0].shared.control->n_sites;
    all.sites = sm_new((all.n + 1) * sizeof *all.sites);
    for (uint32_t i = 0; i < all.n; i++)
        all.sites[i] = i;
    struct sm_plan plan = {.options = settings.options, .watch = SM_WATCH_ALL, .lied = &all};
    plan.options.profile = 1;
    plan.options.races = 1;
    plan.options.prescient = 1;
    plan.options.steps = 200000;
    struct sm_trial *trials = sm_plan_trials(&plan, 0, seeds);
    bool ok = sm_campaign_run(&campaign, trials, seeds, error);
    for (uint64_t i = 0; i < seeds && ok; i++) {
        const struct sm_result *result = &trials[i].result;
        sums->executions++;
        sums->racy += result->n_races != 0;
        if (!result->n_races && result->n_foreseen) {
            printf("FAILED: %s, seed %lu: %zu future values without a race\n", program,
                   (unsigned long)trials[i].options.seed, result->n_foreseen);
            sums->foreseen += result->n_foreseen;
        }
        sm_result_free(&trials[i].result);
    }
    free(trials);
    free(all.sites);
    sm_campaign_close(&campaign);
    sm_settings_free(&settings);
    return ok;
}

int main(int argc, char **argv)
{
    struct sums sums = {0};
    struct sm_error error = {0};
    for (int i = 2; i < argc; i++)
        if (!execute(argv[i], strtoull(argv[1], NULL, 10), &sums, &error))
            return sm_error_print(&error);
    printf("%lu executions of %d programs, %lu with a race; %lu future values without one\n",
           (unsigned long)sums.executions, argc - 2, (unsigned long)sums.racy,
           (unsigned long)sums.foreseen);
    return sums.foreseen || !sums.executions || sums.racy == sums.executions;
}
