/*
 * executions.c - how long one execution takes when there are many: the loop of a campaign.
 *
 *   engine-executions fork|restart N RUN-OPTIONS... -- PROGRAM
 *
 * Runs the program N times, with seeds 1 to N, by its fork server or in one process that
 * restarts, and prints the nanoseconds and the events of one execution. Ends with 1 when an
 * execution does not exit with 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "../../base/options.h"
#include "../../target/input.h"
#include "../../target/target.h"
#include "../../target/watch.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool execute(struct sm_target *target, const struct sm_options *options,
                    struct sm_error *error)
{
    struct sm_ended ended;

    if (!sm_target_run(target, options, &ended, error))
        return false;
    if (ended.stop == SM_STOP_NONE && ended.wait_status == 0)
        return true;
    return sm_fail(error, SM_STATUS_FOUND, "seed %lu: wait status %d", (unsigned long)options->seed,
                   ended.wait_status);
}

static bool execute_all(struct sm_target *target, struct sm_options *options, uint64_t n,
                        struct sm_error *error)
{
    if (!target->serve) {
        options->repeat = n;
        return execute(target, options, error);
    }
    for (options->seed = 1; options->seed <= n; options->seed++)
        if (!execute(target, options, error))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    struct sm_settings settings = {0};
    struct sm_target target;
    struct sm_error error = {0};
    struct sm_buffer nothing = {0};
    uint64_t n = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;

    if (n == 0) {
        fprintf(stderr, "usage: engine-executions fork|restart N RUN-OPTIONS... -- PROGRAM\n");
        return 2;
    }
    if (!sm_settings_parse(&settings, SM_COMMAND_RUN, true, argv + 2, &error) ||
        !sm_target_open(&target, settings.operands.items[0], settings.operands.items,
                        sm_input_from(&nothing, &error), -1, -1, &error))
        return sm_error_print(&error);
    target.serve = strcmp(argv[1], "fork") == 0;
    if (!sm_watch(&target, &settings.watch, &error) || !execute(&target, &settings.options, &error))
        return sm_error_print(&error);
    double start = now();
    if (!execute_all(&target, &settings.options, n, &error))
        return sm_error_print(&error);
    printf("%.0f %lu\n", (now() - start) / (double)n, (unsigned long)target.shared.control->events);
    sm_target_close(&target);
    return 0;
}
