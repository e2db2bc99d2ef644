/* stalemate report: the results of earlier commands in a store, in the requested format. */
#include <stddef.h>
#include <string.h>

#include "commands/commands.h"
#include "report/results.h"

static const struct output {
    size_t offset; /* of the path, in struct sm_settings */
    sm_results_printer *print;
} outputs[] = {{offsetof(struct sm_settings, json), sm_report_results_json},
               {offsetof(struct sm_settings, html), sm_report_results_html},
               {offsetof(struct sm_settings, sarif), sm_report_results_sarif},
               {offsetof(struct sm_settings, junit), sm_report_results_junit},
               {offsetof(struct sm_settings, trace), sm_report_results_trace},
               {offsetof(struct sm_settings, dot), sm_report_results_dot},
               {offsetof(struct sm_settings, annotations), sm_report_results_annotations},
               {offsetof(struct sm_settings, badge), sm_report_results_badge}};
enum { N_OUTPUTS = sizeof outputs / sizeof outputs[0] };

static const char *path_of(const struct sm_settings *settings, const struct output *output)
{
    return *(char *const *)((const char *)settings + output->offset);
}

static int count_stdout(const struct sm_settings *settings)
{
    int n = 0;
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        const char *path = path_of(settings, &outputs[i]);
        n += path && strcmp(path, "-") == 0;
    }
    return n;
}

/* Two documents on one stream would be unreadable. */
static bool check_usage(const struct sm_settings *settings, struct sm_error *error)
{
    if (settings->operands.n > 1)
        return sm_fail(error, SM_STATUS_USAGE,
                       "report: one directory at a time; type: stalemate report [OPTIONS] [DIR]");
    return count_stdout(settings) < 2 ||
           sm_fail(error, SM_STATUS_USAGE,
                   "report: only one of the formats can go to standard output; give the others a "
                   "file");
}

static bool write_files(const struct sm_settings *settings, const struct sm_results *results,
                        struct sm_error *error)
{
    for (size_t i = 0; i < N_OUTPUTS; i++) {
        const char *path = path_of(settings, &outputs[i]);
        if (path && !outputs[i].print(results, path, error))
            return false;
    }
    return true;
}

static void show(const struct sm_settings *settings, const struct sm_results *results)
{
    FILE *to = count_stdout(settings) ? stderr : stdout;
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
