#include "runtime/analysis.h"

#include <string.h>

#include "base/sys.h"

#define SM_ANALYSIS(name) extern const struct sm_analysis sm_analysis_##name;
#include "runtime/analyses.def"

static const struct sm_analysis *const known[] = {
#define SM_ANALYSIS(name) &sm_analysis_##name,
#include "runtime/analyses.def"
    NULL};
static const struct sm_analysis *wanted[SM_ARRAY_SIZE(known)];
static unsigned n_wanted;
uint8_t sm_analyses_needed[SM_EVENTS]; /* a bit for each index in `wanted` */
_Static_assert(SM_ARRAY_SIZE(known) <= 8, "one bit each");

void sm_analyses_start(void)
{
    n_wanted = 0;
    for (unsigned i = 0; known[i]; i++)
        if (known[i]->start())
            wanted[n_wanted++] = known[i];
    memset(sm_analyses_needed, 0, sizeof sm_analyses_needed);
    for (unsigned i = 0; i < n_wanted; i++)
        for (unsigned kind = 0; kind < SM_EVENTS; kind++)
            sm_analyses_needed[kind] |= (uint8_t)(!(wanted[i]->ignored >> kind & 1) << i);
}

void sm_analyses_pass(const struct sm_event *event)
{
    for (unsigned left = sm_analyses_needed[event->kind]; left; left &= left - 1)
        wanted[__builtin_ctz(left)]->event(event);
}

void sm_analyses_aside(const struct sm_event *event)
{
    for (unsigned i = 0; i < n_wanted; i++)
        if (wanted[i]->aside)
            wanted[i]->aside(event);
}

void sm_analyses_end(void)
{
    for (unsigned i = 0; i < n_wanted; i++)
        if (wanted[i]->end)
            wanted[i]->end();
}
