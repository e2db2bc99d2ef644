#include "hunt/hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "campaign/shards.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "commands/on/on.h"
#include "findings/known.h"
#include "hunt/cover.h"
#include "hunt/hunt_report.h"
#include "hunt/late.h"
#include "hunt/slice.h"

struct hunt {
    struct sm_hunt common;
    struct sm_settings settings;
    struct sm_store *store;
    struct sm_progress progress;
    struct sm_suppressions suppressions;
    struct sm_survey survey;
    struct sm_investigations investigations;
    struct sm_hunt_report report, earlier; /* earlier: --baseline */
};

static bool looks_benign(const struct sm_hunt_race *race)
{
    return race->verdict == SM_VERDICT_BENIGN || race->verdict == SM_VERDICT_UNDECIDED;
}

/* One proof is for all races at once: there is none if another one is destructive. */
static void prove_benign(struct hunt *hunt)
{
    struct sm_hunt_report *report = &hunt->report;
    size_t open = 0;
    bool proved = false;
    for (size_t i = 0; i < report->n_races; i++)
        open += looks_benign(&report->races[i]);
    if (!hunt->settings.prove || !open || sm_interrupt_signal())
        return;
    report->proof = sm_cover(&hunt->common, &proved);
    for (size_t i = 0; i < report->n_races; i++)
        if (proved && looks_benign(&report->races[i]))
            report->races[i].verdict = SM_VERDICT_PROVED_BENIGN;
}

static bool store_findings(struct hunt *hunt, struct sm_error *error)
{
    char *target = sm_store_target(&hunt->settings);
    char *json = sm_hunt_json_text(&hunt->report);
    struct sm_store_result result = {.target = target, .json = json};
    bool ok = sm_store_put(hunt->store, hunt->common.campaign.identity, &result, error);
    free(json);
    free(target);
    return ok;
}

static bool show(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    bool json_on_stdout = settings->json && strcmp(settings->json, "-") == 0;
    FILE *to = json_on_stdout ? stderr : stdout;
    if (!settings->quiet)
        sm_report_hunt_text(&hunt->report, settings->verbose,
                            sm_settings_color(settings, fileno(to)), to);
    if (!settings->quiet)
        sm_suppressions_show_unused(&hunt->suppressions);
    fflush(to); /* a signal may kill this process before it exits */
    return !settings->json || sm_report_hunt_json(&hunt->report, settings->json, error);
}

/* ---- the command ---- */

static bool read_known(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    const char *baseline = settings->baseline;
    if (baseline && settings->json && strcmp(baseline, settings->json) == 0)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--json %s would leave only what is new in the baseline; write to another "
                       "file",
                       baseline);
    return sm_suppressions_read(&hunt->suppressions, settings->suppressions, error) &&
           (!baseline || sm_known_read(&hunt->earlier, baseline, error));
}

static bool check_prescience(const struct sm_settings *settings, struct sm_error *error)
{
    if (settings->prescient && settings->no_prescient)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--prescient and --no-prescient are both given; leave one out");
    if (settings->prescient && settings->options.model < SM_MODEL_HB)
        return sm_fail(error, SM_STATUS_USAGE,
                       "--prescient: only hb and oota have values from the future; leave out "
                       "--model, or --prescient");
    return true;
}

/* --no-thin-air is --model hb, unless a stronger one was asked for. */
static void leave_out_thin_air(struct sm_settings *settings)
{
    if (settings->no_thin_air && settings->options.model > SM_MODEL_HB)
        settings->options.model = SM_MODEL_HB;
}

static bool open_hunt(struct hunt *hunt, struct sm_error *error)
{
    const struct sm_settings *settings = &hunt->settings;
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "hunt: no program given; type: stalemate hunt [OPTIONS] -- PROGRAM ARGS...");
    if (!read_known(hunt, error))
        return false;
    if (!check_prescience(settings, error))
        return false;
    hunt->common.settings = settings;
    hunt->common.may_stretch = !settings->trials;
    if (!settings->trials)
        hunt->settings.trials = SM_USUAL_TRIALS;
    hunt->common.divided = settings->shard.of || settings->gathered;
    hunt->common.witnesses = sm_print("%s/witnesses", out);
    hunt->store = sm_store_open(out, error);
    if (!hunt->store || !sm_campaign_open(&hunt->common.campaign, settings, hunt->store, error))
        return false;
    hunt->common.campaign.sampled = &hunt->common.sampled;
    hunt->survey = (struct sm_survey){.hunt = &hunt->common, .suppressions = &hunt->suppressions};
    hunt->investigations =
        (struct sm_investigations){.hunt = &hunt->common, .progress = &hunt->progress};
    if (!settings->quiet)
        sm_progress_start(&hunt->progress, &hunt->common.campaign);
    return true;
}

static void close_hunt(struct hunt *hunt)
{
    sm_investigations_free(&hunt->investigations);
    sm_survey_free(&hunt->survey);
    sm_late_free(&hunt->common);
    sm_hunt_report_free(&hunt->report);
    sm_hunt_report_free(&hunt->earlier);
    sm_suppressions_free(&hunt->suppressions);
    sm_baseline_free(&hunt->common.baseline);
    sm_campaign_close(&hunt->common.campaign);
    sm_store_close(hunt->store);
    free(hunt->common.witnesses);
    free(hunt->common.racy.sites);
    sm_settings_free(&hunt->settings);
}

/* Failures are found even without instrumented code. */
static bool check_instrumented(const struct hunt *hunt, struct sm_error *error)
{
    const struct sm_target *target = &hunt->common.campaign.workers[0];
    return target->shared.control->n_sites || hunt->survey.n_failures ||
           sm_target_is_plain(target, error);
}

/* ---- shards ---- */

/* Merge repeats the survey: its result must be that of the shards. */
static bool check_survey(const struct hunt *hunt, struct sm_error *error)
{
    const struct sm_gathered *gathered = hunt->settings.gathered;
    return !gathered || !gathered->profile || hunt->common.campaign.cut ||
           gathered->profile == sm_survey_hash(&hunt->survey) ||
           sm_fail(error, SM_STATUS_TARGET,
                   "merge: the executions before the plan show other races here than in the "
                   "shards: the program depends on something that Stalemate does not control");
}

static bool survey(struct hunt *hunt, struct sm_error *error)
{
    return sm_survey_run(&hunt->survey, error) && check_instrumented(hunt, error) &&
           check_survey(hunt, error);
}

static bool run_slice(struct hunt *hunt, struct sm_error *error)
{
    struct sm_campaign *campaign = &hunt->common.campaign;
    if (!open_hunt(hunt, error) ||
        !sm_shard_begin(campaign, &hunt->settings, SM_COMMAND_HUNT, error) || !survey(hunt, error))
        return false;
    uint64_t profile = campaign->cut ? 0 : sm_survey_hash(&hunt->survey);
    bool ok = sm_hunt_slice(&hunt->common, &hunt->survey.variables, &hunt->progress, error);
    sm_progress_wipe(&hunt->progress);
    return ok && sm_shard_finish(campaign, &hunt->settings, SM_COMMAND_HUNT, profile, error);
}

/* ---- the whole ---- */

static bool run_hunt(struct hunt *hunt, struct sm_error *error)
{
    leave_out_thin_air(&hunt->settings);
    if (hunt->settings.shard.of)
        return run_slice(hunt, error);
    bool ok = open_hunt(hunt, error) && survey(hunt, error) &&
              sm_investigate_alone(&hunt->investigations, &hunt->survey, error) &&
              sm_investigate_late(&hunt->investigations, &hunt->survey, error) &&
              sm_investigate_together(&hunt->investigations, error) &&
              sm_hunt_report_fill(&hunt->report, &hunt->survey, &hunt->investigations, error);
    if (ok)
        prove_benign(hunt);
    ok = ok && store_findings(hunt, error);
    sm_progress_wipe(&hunt->progress);
    if (ok) /* the stored result is complete, for other reports */
        sm_known_drop(&hunt->report, &hunt->earlier);
    ok = ok && show(hunt, error);
    return ok;
}

static int status_of(const struct sm_hunt_report *report, enum sm_fail_on fail_on)
{
    size_t found = sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE);
    if (sm_fails_on_races(fail_on))
        found = report->n_races;
    if (fail_on == SM_FAIL_ON_RACE)
        found -= sm_hunt_count(report, SM_VERDICT_PROVED_BENIGN);
    return found || report->n_failures ? SM_STATUS_FOUND : SM_STATUS_OK;
}

static int finish(struct hunt *hunt, bool ok, struct sm_error *error)
{
    sm_interrupt_catch();
    ok = ok && run_hunt(hunt, error);
    int status = ok ? status_of(&hunt->report, hunt->settings.fail_on) : sm_error_print(error);
    close_hunt(hunt);
    sm_interrupt_finish();
    return status;
}

int sm_hunt_gathered(struct sm_settings *settings)
{
    struct hunt hunt = {.settings = *settings};
    struct sm_error error = {0};
    return finish(&hunt, true, &error);
}

int sm_hunt_main(int argc, char **argv)
{
    (void)argc;
    struct hunt hunt = {0};
    struct sm_error error = {0};
    bool ok = sm_settings_parse(&hunt.settings, SM_COMMAND_HUNT, true, argv, &error);
    if (ok && hunt.settings.help) {
        sm_command_help("hunt", SM_COMMAND_HUNT);
        sm_settings_free(&hunt.settings);
        return SM_STATUS_OK;
    }
    if (ok && hunt.settings.fix) {
        sm_settings_free(&hunt.settings);
        return sm_fix_instead(argv);
    }
    if (ok && hunt.settings.on) {
        int status = sm_on(&hunt.settings, SM_COMMAND_HUNT, "hunt");
        sm_settings_free(&hunt.settings);
        return status;
    }
    return finish(&hunt, ok, &error);
}
