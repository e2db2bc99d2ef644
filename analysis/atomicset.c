#include "analysis/atomicset.h"

#include <string.h>

#include "analysis/declared.h"
#include "analysis/units.h"
#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/module.h"
#include "runtime/step.h"
#include "runtime/thread.h"

static struct sm_set *current; /* of the current access */

static bool start(void)
{
    if (!sm_option(atomicity))
        return false;
    sm_automata_start();
    sm_declared_start();
    sm_sets_start(sm_option(atomicity) == SM_ATOMICITY_CONFLICT);
    sm_units_start(sm_option(paper_units));
    sm_tuples_stats = (struct sm_tuples_stats){0};
    return true;
}

/* ---- reports ---- */

static void name_unit(char name[SM_VIOLATION_NAME], const struct sm_work *work)
{
    const struct sm_function *function = work->function;
    sm_format(name, SM_VIOLATION_NAME, "%s", function ? function->name : "?");
}

static void fill(struct sm_violation_event *to, const struct sm_match *match, unsigned event)
{
    struct sm_letter letter = sm_pattern_letter(match->pattern, event);
    const struct sm_access_mark *mark = match->marks[event];
    *to = (struct sm_violation_event){.site = sm_site_number(mark->site),
                                      .thread = (letter.other ? match->other : match->unit)->thread,
                                      .kind = letter.write ? SM_EV_STORE : SM_EV_LOAD,
                                      .other = letter.other};
    for (const struct sm_context *context = mark->stack;
         context && context->caller && to->depth < SM_VIOLATION_DEPTH; context = context->caller)
        if (!context->called_back)
            to->stack[to->depth++] = context->pc - 1;
}

static struct sm_violation describe(const struct sm_match *match)
{
    struct sm_violation violation = {.pattern = match->pattern + 1,
                                     .n_events = sm_pattern_length(match->pattern),
                                     .count = 1,
                                     .lock_pc = current->lock_pc ? current->lock_pc - 1 : 0,
                                     .locks_differ = current->locks_differ};
    memcpy(violation.set, current->name, sizeof violation.set);
    name_unit(violation.unit, match->unit);
    name_unit(violation.other, match->other);
    for (unsigned i = 0; i < violation.n_events; i++)
        fill(&violation.events[i], match, i);
    return violation;
}

static bool is_same(const struct sm_violation *a, const struct sm_violation *b)
{
    if (a->pattern != b->pattern || strcmp(a->set, b->set) != 0 || strcmp(a->unit, b->unit) != 0 ||
        strcmp(a->other, b->other) != 0)
        return false;
    for (uint32_t i = 0; i < a->n_events; i++)
        if (a->events[i].site != b->events[i].site)
            return false;
    return true;
}

static void seen(const struct sm_match *match)
{
    struct sm_violation violation = describe(match);
    for (uint32_t i = 0; i < sm_control->n_violations; i++) {
        if (is_same(&sm_control->violations[i], &violation)) {
            sm_control->violations[i].count++;
            return;
        }
    }
    if (sm_control->n_violations == SM_MAX_VIOLATIONS)
        sm_control->violations_lost++;
    else
        sm_control->violations[sm_control->n_violations++] = violation;
}

/* ---- events ---- */

/* The lock to hold is needed only for a report: the last one taken is enough. */
static void note_lock(struct sm_set *set, uint32_t thread)
{
    uintptr_t pc, lock = sm_unit_lock(thread, &pc);
    if (!set->lock && lock) {
        set->lock = lock;
        set->lock_pc = pc;
        sm_units_guard(lock, set);
    }
    set->locks_differ |= set->lock != lock;
}

/* For the driver's list of what to interleave in the following executions. */
static void note_sharing(struct sm_set *set, const struct sm_event *event)
{
    uint32_t site = sm_site_number(event->site);
    uint32_t thread = event->thread->id;
    bool first = !set->works.epoch;
    set->written |= event->kind == SM_EV_STORE;
    if (!first && thread != set->owner && !sm_units_ordered(set->owner, set->owned_at, thread))
        set->met = true;
    set->shared |= set->met && set->written;
    set->owner = thread;
    set->owned_at = sm_units_moment();
    if (set->shared && site < SM_WATCH_BITS)
        sm_control->shared_bits[site / 8] |= (uint8_t)(1 << site % 8);
}

static void access(const struct sm_event *event)
{
    uint32_t thread = event->thread->id;
    uintptr_t locations[SM_MAX_LOCATIONS];
    current = sm_set_find(event->addr, event->site);
    struct sm_work *work = current ? sm_unit_of(event->thread, current) : NULL;
    if (!work)
        return;
    note_lock(current, thread);
    note_sharing(current, event);
    work->wanted |= sm_is_lied_about(event);
    struct sm_access_mark mark = {event->site, sm_unit_context(thread)};
    unsigned n = sm_set_locations(event->addr, event->size, locations);
    for (unsigned i = 0; i < n; i++)
        sm_work_access(work, locations[i], event->kind == SM_EV_STORE, mark, seen);
}

static void count_tuples(void)
{
    sm_control->counters[SM_COUNT_TUPLES] = sm_tuples_stats.most;
    sm_control->counters[SM_COUNT_TUPLES_MADE] = sm_tuples_stats.made;
    sm_control->counters[SM_COUNT_TUPLES_LOST] = sm_tuples_stats.lost;
}

static void on_event(const struct sm_event *event)
{
    switch (event->kind) {
    case SM_EV_LOAD:
    case SM_EV_STORE:
        access(event);
        break;
    case SM_EV_FREE:
        sm_sets_forget(event->addr, event->addr + event->old);
        break;
    default:
        sm_units_event(event);
        count_tuples();
    }
}

const struct sm_analysis sm_analysis_atomicset = {
    .name = "atomicset", .start = start, .event = on_event, .end = sm_declared_end};
