#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/atomicity.h"
#include "findings/shards.h"
#include "findings/steps.h"
#include "findings/text.h"
#include "findings/voice.h"

static bool is_same_group(const struct sm_atomicity_violation *a,
                          const struct sm_atomicity_violation *b)
{
    return strcmp(a->unit, b->unit) == 0 && strcmp(a->other, b->other) == 0 &&
           strcmp(a->set, b->set) == 0 && strcmp(a->fields, b->fields) == 0;
}

/* "thread 1 · customer reads account.balance in withdraw, by bank.c:49" */
static char *event_text(const struct sm_atomicity_violation *violation,
                        const struct sm_atomicity_event *event)
{
    const struct sm_access *access = &event->access;
    const struct sm_place *caller = access->stack.n ? &access->stack.frames[0] : NULL;
    const char *start = access->stack.n ? sm_access_start(access) : access->place.function;
    struct sm_buffer text = {0};
    sm_buffer_print(&text, "thread %u%s%.*s %s %s in %s", access->thread, start ? " \u00b7 " : "",
                    start ? (int)strcspn(start, "(") : 0, start ? start : "",
                    sm_access_verb(access->kind), event->variable ? event->variable : "memory",
                    event->other ? violation->other : violation->unit);
    if (caller && caller->file)
        sm_buffer_print(&text, ", by %s:%u", caller->file, caller->line);
    return text.data;
}

static void print_events(const struct sm_atomicity_violation *violation, FILE *to)
{
    struct sm_steps steps = {0};
    struct sm_list lines = {0};
    for (size_t i = 0; i < violation->n_events; i++) {
        char *what = event_text(violation, &violation->events[i]);
        sm_steps_add(&steps, &violation->events[i].access.place, NULL, what);
        free(what);
    }
    sm_steps_put(&steps, &lines);
    for (size_t i = 0; i < lines.n; i++)
        fprintf(to, "    %s\n", lines.items[i]);
    sm_list_free(&lines);
}

static void print_end(const struct sm_failure *failure, FILE *to)
{
    struct sm_buffer text = {0};
    char who[32];
    snprintf(who, sizeof who, "thread %u", failure->thread);
    sm_voice_failure(&text, failure, who);
    fprintf(to, "    then %s\n", text.data);
    sm_buffer_free(&text);
}

static void print_violation(const struct sm_atomicity_violation *violation, FILE *to)
{
    fprintf(to, "    pattern %u (%s): %s; seen %lu time%s\n", violation->pattern,
            sm_pattern_events(violation->pattern), sm_pattern_words(violation->pattern),
            (unsigned long)violation->count, violation->count == 1 ? "" : "s");
    print_events(violation, to);
    if (violation->failure.kind != SM_FAILURE_NONE)
        print_end(&violation->failure, to);
    if (violation->witness)
        fprintf(to, "    replay with: stalemate replay %s\n", violation->witness);
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
        fprintf(to, "  what to do: %s\n", first->advice);
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
    sm_failures_text(&report->failures, "failure", to);
    sm_failures_text(&report->warnings, "warning", to);
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
