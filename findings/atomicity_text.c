#include <string.h>

#include "base/words.h"
#include "findings/atomicity.h"
#include "findings/shards.h"
#include "findings/text.h"

static bool is_same_group(const struct sm_atomicity_violation *a,
                          const struct sm_atomicity_violation *b)
{
    return strcmp(a->unit, b->unit) == 0 && strcmp(a->other, b->other) == 0 &&
           strcmp(a->set, b->set) == 0 && strcmp(a->fields, b->fields) == 0;
}

static void print_event(const struct sm_atomicity_violation *violation,
                        const struct sm_atomicity_event *event, FILE *to)
{
    const struct sm_access *access = &event->access;
    fprintf(to, "      thread %u, %-5s of %s at ", access->thread, access->kind,
            event->variable ? event->variable : "memory");
    sm_text_place(&access->place, to);
    fprintf(to, " in unit %s\n", event->other ? violation->other : violation->unit);
    for (uint32_t i = 0; i < access->stack.n; i++) {
        fputs("          called from ", to);
        sm_text_place(&access->stack.frames[i], to);
        fputc('\n', to);
    }
}

static void print_violation(const struct sm_atomicity_violation *violation, FILE *to)
{
    fprintf(to, "    pattern %u (%s): %s; seen %lu time%s\n", violation->pattern,
            sm_pattern_events(violation->pattern), sm_pattern_words(violation->pattern),
            (unsigned long)violation->count, violation->count == 1 ? "" : "s");
    for (size_t i = 0; i < violation->n_events; i++)
        print_event(violation, &violation->events[i], to);
    if (violation->failure.kind != SM_FAILURE_NONE)
        fprintf(to, "      and then the program fails: %s: %s\n",
                sm_failure_words[violation->failure.kind], violation->failure.detail);
    if (violation->witness)
        fprintf(to, "      replay with: stalemate replay %s\n", violation->witness);
}

static bool is_group_harmful(const struct sm_atomicity_violation *first, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (first[i].failure.kind != SM_FAILURE_NONE)
            return true;
    return false;
}

static void print_group(const struct sm_atomicity_violation *first, size_t n,
                        const struct sm_paint *paint, FILE *to)
{
    bool harmful = is_group_harmful(first, n);
    fprintf(to, "%s%s%s: %s is not atomic for %s (%s): %s comes between\n",
            harmful ? paint->bad : "", harmful ? "harmful" : "violation", harmful ? paint->off : "",
            first->unit, first->set, first->fields, first->other);
    for (size_t i = 0; i < n; i++)
        print_violation(&first[i], to);
    if (first->advice)
        fprintf(to, "    %s\n", first->advice);
    fputc('\n', to);
}

static size_t print_groups(const struct sm_atomicity_report *report, const struct sm_paint *paint,
                           FILE *to)
{
    size_t groups = 0;
    for (size_t i = 0, n; i < report->n_violations; i += n) {
        const struct sm_atomicity_violation *first = &report->violations[i];
        for (n = 1; i + n < report->n_violations && is_same_group(first, first + n); n++)
            continue;
        print_group(first, n, paint, to);
        groups++;
    }
    return groups;
}

void sm_report_atomicity_text(const struct sm_atomicity_report *report, bool color, FILE *to)
{
    struct sm_paint paint = sm_paint_choose(color);
    size_t groups = print_groups(report, &paint, to);
    fprintf(to, "%zu violation%s of atomicity", report->n_violations,
            report->n_violations == 1 ? "" : "s");
    if (report->n_violations)
        fprintf(to, " in %zu place%s, %zu harmful", groups, groups == 1 ? "" : "s",
                sm_atomicity_harmful(report));
    if (report->suppressed)
        fprintf(to, ", %zu suppressed", report->suppressed);
    if (report->lost)
        fprintf(to, ", %lu more found no room", (unsigned long)report->lost);
    fprintf(to, "; %lu executions in %.1f s\n", (unsigned long)report->executions, report->seconds);
    if (report->unseen)
        fprintf(to,
                "%lu accesses were not compared with all others: their units share too many "
                "locations; --set names the few that belong together\n",
                (unsigned long)report->unseen);
    if (report->merged)
        sm_merged_text(report->merged, to);
    if (report->interrupted)
        fputs("interrupted: not all executions were made\n", to);
    else if (report->out_of_time && report->merged)
        fputs("not complete: executions of shards are missing\n", to);
    else if (report->out_of_time)
        fputs("the time was over before all executions were made; give more with --time\n", to);
}
