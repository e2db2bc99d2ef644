/* stalemate report: what earlier commands left in a store, in the format asked for. */
#include <string.h>

#include "../report/results.h"
#include "commands.h"

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Two documents on one stream would be none. */
static bool check_usage(const struct sm_settings *settings, struct sm_error *error)
{
    if (settings->operands.n > 1)
        return sm_fail(error, SM_STATUS_USAGE,
                       "report: one directory at a time; type: stalemate report [OPTIONS] [DIR]");
    int n = is_stdout(settings->json) + is_stdout(settings->html) + is_stdout(settings->sarif) +
            is_stdout(settings->junit);
    return n < 2 || sm_fail(error, SM_STATUS_USAGE,
                            "report: only one of --json, --html, --sarif and --junit can go to "
                            "standard output; give the others a file");
}

static bool write_files(const struct sm_settings *settings, const struct sm_results *results,
                        struct sm_error *error)
{
    const struct {
        const char *path;
        sm_results_printer *print;
    } files[] = {{settings->json, sm_report_results_json},
                 {settings->html, sm_report_results_html},
                 {settings->sarif, sm_report_results_sarif},
                 {settings->junit, sm_report_results_junit}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i].path && !files[i].print(results, files[i].path, error))
            return false;
    return true;
}

static void show(const struct sm_settings *settings, const struct sm_results *results)
{
    bool taken = is_stdout(settings->json) || is_stdout(settings->html) ||
                 is_stdout(settings->sarif) || is_stdout(settings->junit);
    FILE *to = taken ? stderr : stdout;
    if (!settings->quiet)
        sm_report_results_text(results, sm_settings_color(settings, fileno(to)), to);
}

static int status_of(const struct sm_results *results)
{
    for (size_t i = 0; i < results->n_hunts; i++)
        if (sm_hunt_count(&results->hunts[i].report, SM_VERDICT_DESTRUCTIVE) ||
            results->hunts[i].report.n_failures)
            return SM_STATUS_FOUND;
    for (size_t i = 0; i < results->n_others; i++)
        if (sm_findings_bad(&results->others[i].findings))
            return SM_STATUS_FOUND;
    return SM_STATUS_OK;
}

static int report(const struct sm_settings *settings)
{
    struct sm_error error = {0};
    struct sm_results results = {0};
    const char *directory = settings->operands.n ? settings->operands.items[0] : SM_OUT_DEFAULT;
    bool ok = check_usage(settings, &error) && sm_results_open(&results, directory, &error) &&
              write_files(settings, &results, &error);
    if (ok)
        show(settings, &results);
    int status = ok ? status_of(&results) : sm_error_print(&error);
    sm_results_close(&results);
    return status;
}

int sm_report_main(int argc, char **argv)
{
    (void)argc;
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    int status = SM_STATUS_OK;
    if (!sm_settings_parse(&settings, SM_COMMAND_REPORT, false, argv, &error))
        status = sm_error_print(&error);
    else if (settings.help)
        sm_command_help("report", SM_COMMAND_REPORT);
    else
        status = report(&settings);
    sm_settings_free(&settings);
    return status;
}
