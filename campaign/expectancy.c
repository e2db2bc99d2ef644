#include "campaign/expectancy.h"

#include <stdio.h>
#include <unistd.h>

#include "base/now.h"

#define SHOW_PERIOD 0.1

bool sm_expectancy_begin(struct sm_expectancy *expectancy, bool quiet)
{
    expectancy->on = !quiet && isatty(STDERR_FILENO);
    expectancy->since = expectancy->last = sm_now();
    return expectancy->on;
}

static void put_duration(double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    unsigned i = 0;
    while (i < 3 && seconds < 2 * units[i].seconds)
        i++;
    fprintf(stderr, ", %.*f %s left", seconds < 1 ? 1 : 0, seconds / units[i].seconds,
            units[i].name);
}

void sm_expectancy_show(struct sm_expectancy *expectancy, uint64_t executions, double estimate)
{
    double time = sm_now();
    if (estimate > 0 && estimate != expectancy->estimate) {
        expectancy->estimate = estimate;
        expectancy->since = time;
        expectancy->executed = executions;
    }
    if (!expectancy->on || time - expectancy->last < SHOW_PERIOD)
        return;
    double spent = time > expectancy->since ? time - expectancy->since : SHOW_PERIOD;
    double rate = (double)(executions - expectancy->executed) / spent;
    double left = expectancy->estimate - (double)executions;
    expectancy->last = time;
    expectancy->shown = true;
    fprintf(stderr, "\r\033[Kverifying: %lu executions, %.0f/s", (unsigned long)executions, rate);
    if (expectancy->estimate > 0)
        fprintf(stderr, "; about %.2g in all", expectancy->estimate);
    if (left > 0 && rate > 0)
        put_duration(left / rate);
    fflush(stderr);
}

void sm_expectancy_wipe(struct sm_expectancy *expectancy)
{
    if (expectancy->shown)
        fputs("\r\033[K", stderr);
    expectancy->shown = false;
}
