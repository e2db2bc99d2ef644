#include "runtime/analysis.h"

#include "base/sys.h"

#define SM_ANALYSIS(name) extern const struct sm_analysis sm_analysis_##name;
#include "runtime/analyses.def"

static const struct sm_analysis *const known[] = {
#define SM_ANALYSIS(name) &sm_analysis_##name,
#include "runtime/analyses.def"
    NULL};
static const struct sm_analysis *wanted[SM_ARRAY_SIZE(known)];
static unsigned n_wanted;

void sm_analyses_start(void)
{
    n_wanted = 0;
    for (unsigned i = 0; known[i]; i++)
        if (known[i]->start())
            wanted[n_wanted++] = known[i];
}

void sm_analyses_event(const struct sm_event *event)
{
    for (unsigned i = 0; i < n_wanted; i++)
        if (!(wanted[i]->ignored >> event->kind & 1))
            wanted[i]->event(event);
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
