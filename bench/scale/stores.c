/*
 * stores DIR SHARDS TRIALS PARTIAL PROGRAM: the stores of SHARDS shards of `hunt --trials TRIALS
 * --no-prescient -- PROGRAM`, as DIR/shard-00001 and so on.
 *
 * The survey is made, and 105 executions of each variable (each heuristic with each schedule three
 * times); the results of all others are copies of these under the keys that they would have had.
 * So `stalemate merge` takes the stores for what they pretend to be. With PARTIAL every shard whose
 * number is a multiple of it was killed in the middle: half of its executions, not complete.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/shards.h"
#include "campaign/store_rows.h"
#include "hunt/slice.h"

enum { TEMPLATES = 105 };

struct synthesis {
    struct sm_hunt hunt;
    struct sm_settings settings;
    struct sm_suppressions suppressions;
    struct sm_survey survey;
    struct sm_progress progress;
    struct sm_investigation *investigations;
    struct sm_result *templates; /* TEMPLATES for each variable */
    size_t n;
    uint64_t partial;
    struct sm_error error;
};

static bool make_templates(struct synthesis *synthesis, size_t i)
{
    struct sm_investigation *investigation = &synthesis->investigations[i];
    struct sm_trial trials[TEMPLATES];
    for (uint64_t k = 0; k < TEMPLATES; k++) {
        trials[k] = sm_investigation_trial(investigation, k);
        trials[k].planned = false;
    }
    if (!sm_campaign_run(&synthesis->hunt.campaign, trials, TEMPLATES, &synthesis->error))
        return false;
    for (size_t k = 0; k < TEMPLATES; k++)
        synthesis->templates[i * TEMPLATES + k].facts = trials[k].result.facts;
    return true;
}

static bool open_variables(struct synthesis *synthesis)
{
    const struct sm_variables *variables = &synthesis->survey.variables;
    synthesis->n = variables->n;
    synthesis->investigations = sm_new((variables->n + 1) * sizeof *synthesis->investigations);
    synthesis->templates = sm_new((variables->n * TEMPLATES + 1) * sizeof *synthesis->templates);
    for (size_t i = 0; i < variables->n; i++) {
        struct sm_investigation *investigation = &synthesis->investigations[i];
        if (!sm_investigation_open(investigation, &synthesis->hunt, variables->items[i].name,
                                   &variables->items[i].sites, &synthesis->error))
            return false;
        sm_investigation_number(investigation, i, variables->n);
        if (!make_templates(synthesis, i))
            return false;
    }
    return true;
}

/* Every execution has a trace of its own. */
static void keep_one(struct synthesis *synthesis, uint64_t number)
{
    uint64_t trials = synthesis->settings.trials, i = number / trials, k = number % trials;
    struct sm_trial trial = sm_investigation_trial(&synthesis->investigations[i], k);
    struct sm_result result = synthesis->templates[i * TEMPLATES + k % TEMPLATES];
    struct sm_store_key key;
    result.facts.trace ^= number * 0x9e3779b97f4a7c15u;
    result.facts.seconds = 0;
    sm_campaign_key(&synthesis->hunt.campaign, &trial, key.words);
    sm_store_keep(synthesis->hunt.campaign.store, key, &result);
}

static bool write_shard(struct synthesis *synthesis, const char *directory, uint64_t index)
{
    struct sm_campaign *campaign = &synthesis->hunt.campaign;
    uint64_t of = synthesis->settings.shard.of, all = synthesis->n * synthesis->settings.trials;
    bool partial = synthesis->partial && index % synthesis->partial == 0;
    char *path = sm_print("%s/shard-%05lu", directory, (unsigned long)index);
    campaign->store = sm_store_open(path, &synthesis->error);
    free(path);
    if (!campaign->store)
        return false;
    sqlite3_exec(sm_store_database(campaign->store), "PRAGMA synchronous=OFF", NULL, NULL, NULL);
    synthesis->settings.shard.index = index;
    campaign->planned = campaign->made = 0;
    for (uint64_t number = index - 1; number < (partial ? all / 2 : all); number += of) {
        keep_one(synthesis, number);
        campaign->made++;
    }
    campaign->planned = campaign->made;
    bool ok = sm_shard_begin(campaign, &synthesis->settings, SM_COMMAND_HUNT, &synthesis->error) &&
              sm_store_flush(campaign->store, &synthesis->error) &&
              (partial || sm_shard_finish(campaign, &synthesis->settings, SM_COMMAND_HUNT,
                                          sm_survey_hash(&synthesis->survey), &synthesis->error));
    sm_store_close(campaign->store);
    campaign->store = NULL;
    return ok;
}

static bool synthesise(struct synthesis *synthesis, const char *directory)
{
    struct sm_hunt *hunt = &synthesis->hunt;
    hunt->settings = &synthesis->settings;
    hunt->divided = true;
    synthesis->survey = (struct sm_survey){.hunt = hunt, .suppressions = &synthesis->suppressions};
    if (!sm_campaign_open(&hunt->campaign, &synthesis->settings, NULL, &synthesis->error))
        return false;
    hunt->campaign.sampled = &hunt->sampled;
    if (!sm_survey_run(&synthesis->survey, &synthesis->error) || !open_variables(synthesis))
        return false;
    /* How long a shard took is the same in each: sums do not depend on this machine. */
    for (uint64_t i = 1; i <= synthesis->settings.shard.of; i++)
        if (!write_shard(synthesis, directory, i))
            return false;
    printf("%zu variables, %lu executions in all\n", synthesis->n,
           (unsigned long)(synthesis->n * synthesis->settings.trials));
    return true;
}

int main(int argc, char **argv)
{
    struct synthesis synthesis = {0};
    if (argc != 6)
        return fprintf(stderr, "usage: %s DIR SHARDS TRIALS PARTIAL PROGRAM\n", argv[0]), 2;
    synthesis.partial = strtoull(argv[4], NULL, 10);
    char *words[] = {"hunt", "--quiet", "--no-prescient", "--trials", argv[3], "--", argv[5], NULL};
    if (!sm_settings_parse(&synthesis.settings, SM_COMMAND_HUNT, true, words, &synthesis.error))
        return sm_error_print(&synthesis.error);
    synthesis.settings.shard = (struct sm_slice){1, strtoull(argv[2], NULL, 10)};
    bool ok = synthesise(&synthesis, argv[1]);
    int status = ok ? 0 : sm_error_print(&synthesis.error);
    sm_campaign_close(&synthesis.hunt.campaign);
    return status;
}
