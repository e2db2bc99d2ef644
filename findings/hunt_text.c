#include <string.h>

#include "base/words.h"
#include "findings/hunt.h"
#include "findings/shards.h"
#include "findings/text.h"

static const char *paint_of(enum sm_verdict_kind verdict, const struct sm_paint *paint)
{
    return verdict == SM_VERDICT_DESTRUCTIVE                                     ? paint->bad
           : verdict == SM_VERDICT_BENIGN || verdict == SM_VERDICT_PROVED_BENIGN ? paint->good
                                                                                 : "";
}

static void print_story(const struct sm_list *story, FILE *to)
{
    for (size_t i = 0; i < story->n; i++)
        fprintf(to, "    %s\n", story->items[i]);
}

static void print_destructive(const struct sm_hunt_race *race, const struct sm_paint *paint,
                              FILE *to)
{
    fprintf(to, "%sdestructive%s: the race on %s breaks the program under %s: %s\n", paint->bad,
            paint->off, race->variable, sm_model_words[race->model], sm_model_needs[race->model]);
    print_story(&race->story, to);
    fputc('\n', to);
}

/* The story ends with what failed, and where. */
static void print_failure(const struct sm_hunt_failure *failure, bool always,
                          const struct sm_paint *paint, FILE *to)
{
    fprintf(to, "%sfailure%s: %s under sc", paint->bad, paint->off,
            sm_failure_words[failure->failure.kind]);
    if (failure->failure.place.file) {
        fputs(", at ", to);
        sm_text_place(&failure->failure.place, to);
    }
    fputc('\n', to);
    print_story(&failure->story, to);
    fputs(always          ? "  Every execution fails so.\n"
          : failure->racy ? "  No stale value is needed: an unlucky interleaving is enough.\n"
                          : "  An unlucky interleaving is enough; no data race is involved.\n",
          to);
    if (failure->witness)
        fprintf(to, "  replay with: stalemate replay %s\n\n", failure->witness);
    else
        fprintf(to, "    %s\n\n", failure->failure.detail);
}

static void print_baseline(const struct sm_hunt_report *report, FILE *to)
{
    if (report->always_fails)
        fputs("the program fails in every execution under sc: races cannot be judged before it "
              "passes\n",
              to);
    else if (report->baseline_exit)
        fprintf(to,
                "the program ends with status %d by itself; other statuses count as failures "
                "(--expect-exit N)\n",
                report->baseline_exit);
    for (const char *line = report->baseline_errors; line && *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(to, "    it says: %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

/* ---- the table ---- */

static int widest_name(const struct sm_hunt_report *report)
{
    size_t widest = strlen("variable");
    for (size_t i = 0; i < report->n_races; i++)
        if (strlen(report->races[i].variable) > widest)
            widest = strlen(report->races[i].variable);
    return widest > 40 ? 40 : (int)widest;
}

static void print_row(const struct sm_hunt_race *race, int width, const struct sm_paint *paint,
                      FILE *to)
{
    const struct sm_tally *tally = &race->tally;
    const char *color = paint_of(race->verdict, paint);
    char rate[40];
    snprintf(rate, sizeof rate, "%lu/%lu", (unsigned long)tally->failures,
             (unsigned long)tally->trials);
    fprintf(to, "%-*s  %s%-13s%s  %-5s  %9s  %11lu  ", width, race->variable, color,
            sm_verdict_words[race->verdict], *color ? paint->off : "",
            race->model < SM_MODELS ? sm_model_words[race->model] : "-", rate,
            (unsigned long)tally->stale_reads);
    enum { BEFORE_PLACE = 2 + 13 + 2 + 5 + 2 + 9 + 2 + 11 + 2 };
    if (race->n_accesses)
        sm_text_place_within(&race->accesses[0].place, sm_text_columns(to) - width - BEFORE_PLACE,
                             to);
    fputc('\n', to);
    if (race->witness)
        fprintf(to, "  %sreplay with:%s stalemate replay %s\n", paint->dim, paint->off,
                race->witness);
}

static void print_rates(const struct sm_tally *tally, FILE *to)
{
    for (int i = 0; i < SM_HEURISTICS; i++)
        if (tally->by_heuristic[i].trials)
            fprintf(to, "    %-21s %lu of %lu\n", sm_heuristic_words[i],
                    (unsigned long)tally->by_heuristic[i].failures,
                    (unsigned long)tally->by_heuristic[i].trials);
}

static void print_table(const struct sm_hunt_report *report, bool verbose,
                        const struct sm_paint *paint, FILE *to)
{
    int width = widest_name(report);
    fprintf(to, "%-*s  %-13s  %-5s  %9s  %11s  %s\n", width, "variable", "verdict", "model",
            "failures", "stale reads", "where");
    for (size_t i = 0; i < report->n_races; i++) {
        print_row(&report->races[i], width, paint, to);
        if (verbose)
            print_rates(&report->races[i].tally, to);
    }
}

/* ---- the end ---- */

static void print_summary(const struct sm_hunt_report *report, FILE *to)
{
    static const enum sm_verdict_kind order[] = {SM_VERDICT_DESTRUCTIVE, SM_VERDICT_QOS,
                                                 SM_VERDICT_BENIGN, SM_VERDICT_PROVED_BENIGN,
                                                 SM_VERDICT_UNDECIDED};
    const char *separator = ": ";
    fprintf(to, "%zu racy variable%s", report->n_races, report->n_races == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        size_t n = sm_hunt_count(report, order[i]);
        if (!n)
            continue;
        fprintf(to, "%s%zu %s", separator, n, sm_verdict_words[order[i]]);
        separator = ", ";
    }
    if (report->known)
        fprintf(to, "; %zu known before", report->known);
    if (report->suppressed)
        fprintf(to, "; %zu suppressed", report->suppressed);
    fprintf(to, "; %lu executions", (unsigned long)report->executions);
    if (report->found)
        fprintf(to, " (and %lu remembered)", (unsigned long)report->found);
    fprintf(to, " in %.1f s\n", report->seconds);
    if (report->proof)
        fprintf(to, "%s\n", report->proof);
    if (report->merged)
        sm_merged_text(report->merged, to);
    if (report->interrupted)
        fputs("interrupted; the same command goes on from here\n", to);
    else if (report->out_of_time && report->merged)
        fputs("not complete: executions of the plan are missing; make them with the command of "
              "their shards, and merge again\n",
              to);
    else if (report->out_of_time)
        fputs("the time was over; the same command with more --time goes on from here\n", to);
}

void sm_report_hunt_text(const struct sm_hunt_report *report, bool verbose, bool color, FILE *to)
{
    struct sm_paint paint = sm_paint_choose(color);
    for (size_t i = 0; i < report->n_races; i++)
        if (report->races[i].verdict == SM_VERDICT_DESTRUCTIVE)
            print_destructive(&report->races[i], &paint, to);
    for (size_t i = 0; i < report->n_failures; i++)
        print_failure(&report->failures[i], report->always_fails && report->n_failures == 1, &paint,
                      to);
    print_baseline(report, to);
    if (report->n_races)
        print_table(report, verbose, &paint, to);
    print_summary(report, to);
}
