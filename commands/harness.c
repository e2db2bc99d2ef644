/* stalemate harness: writes tests that call a library's functions from several threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands/commands.h"
#include "harness/writer.h"

enum { MOST_ORDERS = 5040 };

static bool write_file(const struct sm_library *library, const struct sm_combinations *combinations,
                       const struct sm_settings *settings, struct sm_error *error)
{
    FILE *to = settings->output ? fopen(settings->output, "we") : stdout;
    if (!to)
        return sm_fail(error, SM_STATUS_USAGE, "harness: cannot write %s: %s", settings->output,
                       strerror(errno));
    sm_harness_write(library, combinations, settings, to);
    bool ok = fflush(to) == 0 && !ferror(to);
    if (settings->output)
        ok = fclose(to) == 0 && ok;
    return ok || sm_fail(error, SM_STATUS_USAGE, "harness: cannot write %s: %s",
                         settings->output ? settings->output : "standard output", strerror(errno));
}

static void say_what_next(const struct sm_library *library,
                          const struct sm_combinations *combinations,
                          const struct sm_settings *settings)
{
    fprintf(stderr, "%zu of %s%.0f combinations, %lu threads, %lu calls each%s\n",
            combinations->texts.n, combinations->estimated ? "about " : "", combinations->of,
            (unsigned long)settings->threads, (unsigned long)settings->calls,
            (double)combinations->texts.n < combinations->of
                ? "; --combinations 0 takes all, --include FUNC fewer functions"
                : "");
    if (settings->output)
        fprintf(stderr,
                "  stalemate %s -g -O1 -pthread %s LIBRARY... -o test\n"
                "  stalemate verify --first -- ./test\n",
                library->cxx ? "c++" : "cc", settings->output);
}

static bool check_size(const struct sm_combinations *combinations, struct sm_error *error)
{
    if (!combinations->texts.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "harness: there is no combination of calls that changes anything and cannot "
                       "block; see --list, and take more --calls or other functions");
    return combinations->orders <= MOST_ORDERS ||
           sm_fail(error, SM_STATUS_USAGE,
                   "harness: %zu sequential orders are too many to try in each execution; take "
                   "fewer --threads or --calls",
                   combinations->orders);
}

static bool write_test(const struct sm_library *library, const struct sm_settings *settings,
                       struct sm_error *error)
{
    struct sm_combinations combinations;
    sm_combinations_make(&combinations, library, settings);
    bool ok =
        check_size(&combinations, error) && write_file(library, &combinations, settings, error);
    if (ok && !settings->quiet)
        say_what_next(library, &combinations, settings);
    sm_combinations_free(&combinations);
    return ok;
}

static bool run_harness(const struct sm_settings *settings, struct sm_error *error)
{
    struct sm_library library = {0};
    if (!settings->operands.n)
        return sm_fail(error, SM_STATUS_USAGE,
                       "harness: no header given; type: stalemate harness [OPTIONS] HEADER");
    bool ok =
        sm_library_read(&library, settings, error) && sm_library_roles(&library, settings, error);
    if (ok && settings->list)
        sm_harness_list(&library, stdout);
    else
        ok = ok && write_test(&library, settings, error);
    sm_library_free(&library);
    return ok;
}

int sm_harness_main(int argc, char **argv)
{
    (void)argc;
    struct sm_settings settings = {0};
    struct sm_error error = {0};
    int status = SM_STATUS_OK;
    bool ok = sm_settings_parse(&settings, SM_COMMAND_HARNESS, false, argv, &error);
    if (ok && settings.help)
        sm_command_help("harness", SM_COMMAND_HARNESS);
    else if (!ok || !run_harness(&settings, &error))
        status = sm_error_print(&error);
    sm_settings_free(&settings);
    return status;
}
