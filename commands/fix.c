#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "campaign/store.h"
#include "commands/commands.h"
#include "findings/hunt.h"
#include "fix/child.h"
#include "fix/judge.h"
#include "fix/search.h"
#include "fix/weaken.h"

/* The report of a hunt: made by a child, so that each has its own workers and its own time. */
static bool hunt(struct sm_hunt_report *report, const struct sm_settings *settings,
                 const char *directory, struct sm_error *error)
{
    struct sm_list options = {0};
    char *seconds = sm_print("%.1f", settings->time * SM_HUNT_SHARE);
    sm_list_add(&options, "--time");
    sm_list_add(&options, seconds);
    json_t *json = sm_child_json(settings, SM_COMMAND_HUNT, "hunt",
                                 settings->time > 0 ? &options : NULL, directory);
    sm_list_free(&options);
    free(seconds);
    bool ok = json && sm_hunt_json_parse(json, report);
    json_decref(json);
    report->target = settings->operands.items;
    report->command = "fix";
    return ok || sm_fail(error, SM_STATUS_TARGET,
                         "fix: the hunt found nothing out; see %s/hunt.log", directory);
}

static const struct sm_cure_found *cure_of(const struct sm_hunt_report *report)
{
    for (size_t i = 0; i < report->n_races; i++)
        if (report->races[i].cure)
            return report->races[i].cure;
    return report->n_failures ? report->failures[0].cure : NULL;
}

static bool show(const struct sm_hunt_report *report, const struct sm_settings *settings,
                 struct sm_error *error)
{
    bool json_on_stdout = settings->json && strcmp(settings->json, "-") == 0;
    FILE *to = json_on_stdout ? stderr : stdout;
    const struct sm_cure_found *cure = cure_of(report);
    if (!settings->quiet) {
        sm_report_hunt_text(report, settings->verbose, sm_settings_color(settings, fileno(to)), to);
        if (cure)
            sm_cure_print(cure, to);
        if (cure && cure->patch && settings->apply)
            fputs("applied\n", to);
    }
    fflush(to);
    return !settings->json || sm_report_hunt_json(report, settings->json, error);
}

static bool store(const struct sm_hunt_report *report, const struct sm_settings *settings,
                  struct sm_error *error)
{
    char *json = sm_hunt_json_text(report);
    bool ok = sm_store_result(settings, "fix", json, error);
    free(json);
    return ok;
}

static bool run_fix(struct sm_hunt_report *report, const struct sm_settings *settings,
                    struct sm_error *error)
{
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "fix: no program given; type: stalemate fix [OPTIONS] -- PROGRAM ARGS...");
    const char *out = settings->out ? settings->out : SM_OUT_DEFAULT;
    char *directory = sm_print("%s/fix", out);
    mkdir(out, 0777);
    mkdir(directory, 0777);
    double deadline = settings->time > 0 ? sm_now() + settings->time : 0;
    bool ok = hunt(report, settings, directory, error) &&
              sm_fix_search(report, settings, directory, deadline, error) &&
              store(report, settings, error) && show(report, settings, error);
    free(directory);
    return ok;
}

static int status_of(const struct sm_hunt_report *report)
{
    return sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE) || report->n_failures ? SM_STATUS_FOUND
                                                                               : SM_STATUS_OK;
}

int sm_fix_main(int argc, char **argv)
{
    (void)argc;
    struct sm_settings settings = {0};
    struct sm_hunt_report report = {0};
    struct sm_error error = {0};
    int status = SM_STATUS_OK;
    bool ok = sm_settings_parse(&settings, SM_COMMAND_FIX, true, argv, &error);
    sm_interrupt_catch();
    if (ok && settings.help)
        sm_command_help("fix", SM_COMMAND_FIX);
    else if (ok && settings.weaken)
        status = sm_weaken_command(&settings);
    else
        status =
            ok && run_fix(&report, &settings, &error) ? status_of(&report) : sm_error_print(&error);
    sm_hunt_report_free(&report);
    sm_settings_free(&settings);
    sm_interrupt_finish();
    return status;
}

/* The word --fix is removed; the rest is the same. */
int sm_fix_instead(char **argv)
{
    int n = 0;
    bool own = true; /* not of the program */
    for (int i = 0; argv[i]; i++) {
        own = own && strcmp(argv[i], "--") != 0;
        if (!own || strcmp(argv[i], "--fix") != 0)
            argv[n++] = argv[i];
    }
    argv[n] = NULL;
    return sm_fix_main(n, argv);
}
