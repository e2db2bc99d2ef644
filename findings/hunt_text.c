#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "findings/hunt.h"
#include "findings/shards.h"
#include "findings/text.h"
#include "findings/voice.h"

static const char *paint_of(enum sm_verdict_kind verdict, const struct sm_paint *paint)
{
    return verdict == SM_VERDICT_DESTRUCTIVE                                     ? paint->bad
           : verdict == SM_VERDICT_BENIGN || verdict == SM_VERDICT_PROVED_BENIGN ? paint->good
                                                                                 : "";
}

/* `brief`: only how it ends; the rest is shown elsewhere. */
static void print_story(const struct sm_list *story, bool brief, FILE *to)
{
    for (size_t i = brief && story->n ? story->n - 1 : 0; i < story->n; i++) {
        const char *line = story->items[i];
        fprintf(to, "    %s\n", brief && strncmp(line, "then ", 5) == 0 ? line + 5 : line);
    }
}

/* Without one, the usual advice for such a finding, which is untested. */
static void print_cure(const struct sm_cure_found *cure, const char *usual, FILE *to)
{
    if (cure)
        fprintf(to, "  repair: %s\n", cure->text);
    else if (usual)
        fprintf(to, "  what to do: %s (untested; stalemate fix tries repairs)\n", usual);
}

/* ---- findings with one cause ---- */

static const struct sm_hunt_race *race_with(const struct sm_hunt_report *report,
                                            const char *witness)
{
    for (size_t i = 0; i < report->n_races; i++)
        if (report->races[i].witness && strcmp(report->races[i].witness, witness) == 0)
            return &report->races[i];
    return NULL;
}

static const struct sm_hunt_failure *failure_with(const struct sm_hunt_report *report,
                                                  const char *witness)
{
    for (size_t i = 0; i < report->n_failures; i++)
        if (report->failures[i].witness && strcmp(report->failures[i].witness, witness) == 0)
            return &report->failures[i];
    return NULL;
}

/* Shown under another one, unless that was left out as known or suppressed. */
static bool is_under(const struct sm_hunt_report *report, const char *cause)
{
    return cause && (race_with(report, cause) || failure_with(report, cause));
}

static bool has_cause(const char *cause, const char *witness)
{
    return cause && witness && strcmp(cause, witness) == 0;
}

static void print_other_race(const struct sm_hunt_race *race, FILE *to)
{
    char *title = sm_hunt_race_title(race);
    fprintf(to, "    %s, under %s (%s)\n", title, sm_model_words[race->model], race->witness);
    free(title);
}

/* Each is listed: it may be a bug of its own. Failures have a block of their own. */
static void print_others(const struct sm_hunt_report *report, const char *witness, FILE *to)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_races; i++)
        n += has_cause(report->races[i].cause, witness);
    if (n)
        fprintf(to, "  %zu more finding%s, likely with the same cause:\n", n, n == 1 ? "" : "s");
    for (size_t i = 0; i < report->n_races; i++)
        if (has_cause(report->races[i].cause, witness))
            print_other_race(&report->races[i], to);
}

/* "likely with the same cause as race on hits: count() ... (hits-1.smw)" */
static void print_cause(const struct sm_hunt_report *report, const char *cause, FILE *to)
{
    if (!is_under(report, cause))
        return;
    const struct sm_hunt_race *race = race_with(report, cause);
    struct sm_buffer text = {0};
    if (race)
        text.data = sm_hunt_race_title(race);
    else
        sm_voice_failure_brief(&text, &failure_with(report, cause)->failure);
    fprintf(to, "  likely with the same cause as %s (%s)\n", text.data, cause);
    sm_buffer_free(&text);
}

/* ---- findings ---- */

/* What happened, why it is legal, what to do. */
static void print_destructive(const struct sm_hunt_report *report, const struct sm_hunt_race *race,
                              const struct sm_paint *paint, FILE *to)
{
    char *title = sm_hunt_race_title(race), *locks = sm_hunt_race_locks(race);
    fprintf(to, "%sdestructive%s: %s\n", paint->bad, paint->off, title);
    if (locks)
        fprintf(to, "  %s\n", locks);
    fprintf(to, "  breaks the program under %s\n", sm_voice_model(race->model));
    free(locks);
    print_story(&race->story, false, to);
    char *advice = sm_hunt_race_advice(race);
    print_cure(race->cure, advice, to);
    free(advice);
    if (race->witness)
        fprintf(to, "  replay with: stalemate replay %s\n", race->witness);
    print_others(report, race->witness, to);
    fputc('\n', to);
    free(title);
}

static void print_always(const struct sm_failure *failure, FILE *to)
{
    struct sm_buffer text = {0};
    sm_voice_failure(&text, failure, NULL);
    fprintf(to, "    %s\n  Every execution fails so: races cannot be judged before it passes.\n",
            text.data);
    sm_buffer_free(&text);
}

/* Deadlocks and similar failures already say what to do. */
static void print_failure_advice(const struct sm_hunt_failure *failure, FILE *to)
{
    enum sm_failure_kind kind = failure->failure.kind;
    bool told = sm_failure_is_stall(kind) || kind == SM_FAILURE_HANG;
    if (failure->cure || (failure->remedy && !told))
        print_cure(failure->cure, failure->remedy, to);
    else if (!told && kind > SM_FAILURE_ORACLE)
        fprintf(to, "  what to do: %s\n", sm_failure_advice[kind]);
}

/* Of the first few: a hunt lists them all in its table. */
static void print_names(const struct sm_list *names, FILE *to)
{
    enum { MOST_LISTED = 6 };
    for (size_t i = 0; i < names->n && i < MOST_LISTED; i++)
        fprintf(to, "%s%s", i ? ", " : "", names->items[i]);
    if (names->n > MOST_LISTED)
        fprintf(to, " and %zu more", names->n - MOST_LISTED);
}

static void print_races_in(const struct sm_hunt_failure *failure, FILE *to)
{
    if (!failure->races.n)
        return;
    fputs("  Its execution has data races on ", to);
    print_names(&failure->races, to);
    fputs(": any of them may be the cause, whatever its verdict.\n", to);
}

static void print_needs(const struct sm_hunt_failure *failure, FILE *to)
{
    if (failure->model != SM_MODEL_SC)
        fprintf(to, "  breaks the program under %s\n", sm_voice_model(failure->model));
    else
        fputs(failure->racy ? "  An unlucky interleaving is enough, on every machine.\n"
                            : "  An unlucky interleaving is enough; no data race is involved.\n",
              to);
}

static void print_failure(const struct sm_hunt_report *report,
                          const struct sm_hunt_failure *failure, const struct sm_paint *paint,
                          FILE *to)
{
    bool always = report->always_fails && report->n_failures == 1;
    bool under = is_under(report, failure->cause);
    fprintf(to, "%sfailure%s: %s under %s", paint->bad, paint->off,
            sm_failure_words[failure->failure.kind], sm_model_words[failure->model]);
    if (failure->failure.place.file) {
        fputs(", at ", to);
        sm_text_place(&failure->failure.place, to);
    }
    fputc('\n', to);
    if (always && failure->witness)
        print_always(&failure->failure, to);
    else
        print_story(&failure->story, under, to);
    if (!always && !under)
        print_needs(failure, to);
    if (!under)
        print_races_in(failure, to);
    if (!under || failure->cure)
        print_failure_advice(failure, to);
    if (failure->witness)
        fprintf(to, "  replay with: stalemate replay %s\n", failure->witness);
    else
        fprintf(to, "    %s\n", failure->failure.detail);
    print_cause(report, failure->cause, to);
    print_others(report, failure->witness, to);
    fputc('\n', to);
}

static void print_baseline(const struct sm_hunt_report *report, FILE *to)
{
    if (report->always_fails && report->n_failures != 1)
        fputs("the program fails in every execution under sc: races cannot be judged before it "
              "passes\n",
              to);
    else if (report->baseline_exit && !report->always_fails)
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

static const char *name_in_table(const struct sm_hunt_race *race)
{
    return race->object ? race->object : race->variable;
}

static int widest_name(const struct sm_hunt_report *report)
{
    size_t widest = strlen("variable");
    for (size_t i = 0; i < report->n_races; i++)
        if (strlen(name_in_table(&report->races[i])) > widest)
            widest = strlen(name_in_table(&report->races[i]));
    return widest > 40 ? 40 : (int)widest;
}

static void print_row(const struct sm_hunt_race *race, int width, const struct sm_paint *paint,
                      FILE *to)
{
    const struct sm_tally *tally = &race->tally;
    const char *color = paint_of(race->verdict, paint);
    char rate[40];
    if (race->exact && !tally->trials)
        snprintf(rate, sizeof rate, "exact");
    else
        snprintf(rate, sizeof rate, "%lu/%lu", (unsigned long)tally->failures,
                 (unsigned long)tally->trials);
    fprintf(to, "%-*s  %s%-13s%s  %-5s  %9s  %11lu  ", width, name_in_table(race), color,
            sm_verdict_words[race->verdict], *color ? paint->off : "",
            race->model < SM_MODELS ? sm_model_words[race->model] : "-", rate,
            (unsigned long)tally->stale_reads);
    enum { BEFORE_PLACE = 2 + 13 + 2 + 5 + 2 + 9 + 2 + 11 + 2 };
    if (race->n_accesses)
        sm_text_place_within(sm_voice_user_place(&race->accesses[0]),
                             sm_text_columns(to) - width - BEFORE_PLACE, to);
    fputc('\n', to);
}

static void print_rates(const struct sm_tally *tally, FILE *to)
{
    for (int i = 0; i < SM_HEURISTICS; i++)
        if (tally->by_heuristic[i].trials)
            fprintf(to, "    %-21s %lu of %lu\n", sm_heuristic_words[i],
                    (unsigned long)tally->by_heuristic[i].failures,
                    (unsigned long)tally->by_heuristic[i].trials);
}

static void print_coverage(const struct sm_coverage *coverage, FILE *to)
{
    fprintf(to, "    seen: %lu pairs of a store and its read, %lu orders of synchronisation; %s\n",
            (unsigned long)coverage->pairs, (unsigned long)coverage->orders,
            sm_trials_end_about[coverage->ended]);
    if (coverage->lost)
        fprintf(to, "    not counted: %lu more, which found no room in an execution's memory\n",
                (unsigned long)coverage->lost);
}

/* The most serious first; among the destructive, the one that needs least. */
static int by_severity(const void *a, const void *b)
{
    static const int rank[SM_VERDICTS] = {[SM_VERDICT_DESTRUCTIVE] = 0,
                                          [SM_VERDICT_QOS] = 1,
                                          [SM_VERDICT_UNDECIDED] = 2,
                                          [SM_VERDICT_BENIGN] = 3,
                                          [SM_VERDICT_PROVED_BENIGN] = 4};
    const struct sm_hunt_race *x = *(const struct sm_hunt_race *const *)a,
                              *y = *(const struct sm_hunt_race *const *)b;
    if (rank[x->verdict] != rank[y->verdict])
        return rank[x->verdict] - rank[y->verdict];
    if (x->model != y->model)
        return (int)x->model - (int)y->model;
    if (!x->object != !y->object) /* variables of the user's before heap memory */
        return x->object ? -1 : 1;
    return (x > y) - (x < y);
}

/* Trials ended while they still exercised something new, and nothing failed. */
static bool is_open(const struct sm_hunt_race *race)
{
    return !race->exact && race->verdict != SM_VERDICT_DESTRUCTIVE && race->tally.trials &&
           race->coverage.ended != SM_TRIALS_END_SATURATION;
}

static const struct sm_hunt_race **sorted(const struct sm_hunt_report *report)
{
    const struct sm_hunt_race **races = sm_new((report->n_races + 1) * sizeof(void *));
    for (size_t i = 0; i < report->n_races; i++)
        races[i] = &report->races[i];
    qsort(races, report->n_races, sizeof(void *), by_severity);
    return races;
}

static void print_table(const struct sm_hunt_report *report, const struct sm_hunt_race **races,
                        bool verbose, const struct sm_paint *paint, FILE *to)
{
    int width = widest_name(report);
    fprintf(to, "%-*s  %-13s  %-5s  %9s  %11s  %s\n", width, "variable", "verdict", "model",
            "failures", "stale reads", "where");
    for (size_t i = 0; i < report->n_races; i++) {
        print_row(races[i], width, paint, to);
        if (verbose)
            print_rates(&races[i]->tally, to);
        if (verbose || is_open(races[i]))
            print_coverage(&races[i]->coverage, to);
    }
}

/* A benign race may be what lets a failure above happen: its verdict is about its values alone. */
static void print_not_innocent(const struct sm_hunt_report *report,
                               const struct sm_hunt_race **races, FILE *to)
{
    struct sm_list names = {0};
    for (size_t i = 0; i < report->n_races; i++)
        for (size_t k = 0; races[i]->verdict == SM_VERDICT_BENIGN && k < report->n_failures; k++)
            if (!report->failures[k].cause &&
                sm_list_has(&report->failures[k].races, name_in_table(races[i])) &&
                !sm_list_has(&names, name_in_table(races[i])))
                sm_list_add(&names, name_in_table(races[i]));
    if (names.n) {
        fputs("  benign by its values, but in the execution of a failure above: ", to);
        print_names(&names, to);
        fputs("\n", to);
    }
    sm_list_free(&names);
}

/* ---- the end ---- */

/* Only if nothing was found: then a user might believe the program to be correct. */
static void print_weak_atomics(const struct sm_hunt_report *report, FILE *to)
{
    enum { MOST_ATOMICS = 4 };
    const struct sm_list *names = &report->weak_atomics;
    if (!names->n || report->n_failures || sm_hunt_count(report, SM_VERDICT_DESTRUCTIVE))
        return;
    fputs("not looked at: atomics weaker than seq_cst (", to);
    for (size_t i = 0; i < names->n && i < MOST_ATOMICS; i++)
        fprintf(to, "%s%s", i ? ", " : "", names->items[i]);
    fprintf(to,
            "%s) that see another than the newest value; look with: stalemate run --trials 1000 "
            "--model c11, or, for every execution: stalemate verify --model c11\n",
            names->n > MOST_ATOMICS ? ", ..." : "");
}

/* What ended the search for failures and races. */
static void print_stopped(const struct sm_hunt_report *report, FILE *to)
{
    const struct sm_searched *search = &report->search;
    unsigned long made = search->executions, last = search->last_new;
    if (!made || report->interrupted)
        return;
    switch (search->coverage.ended) {
    case SM_TRIALS_END_SATURATION:
        fprintf(to, "; stopped: the last %lu under sc found no new order of accesses", made - last);
        break;
    case SM_TRIALS_END_TRIALS:
        fprintf(to, "; stopped: number %lu of %lu under sc still found a new order of accesses",
                last, made);
        break;
    case SM_TRIALS_END_TIME:
        fputs("; stopped: the time was over", to);
        break;
    case SM_TRIALS_END_EXPLORED:
        fputs("; stopped: verify has explored every execution under sc", to);
        break;
    }
}

static void print_summary(const struct sm_hunt_report *report, FILE *to)
{
    static const enum sm_verdict_kind order[] = {SM_VERDICT_DESTRUCTIVE, SM_VERDICT_QOS,
                                                 SM_VERDICT_BENIGN, SM_VERDICT_PROVED_BENIGN,
                                                 SM_VERDICT_UNDECIDED};
    const char *separator = ": ";
    if (report->n_failures)
        fprintf(to, "%zu failure%s, ", report->n_failures, report->n_failures == 1 ? "" : "s");
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
    fprintf(to, " in %.1f s", report->seconds);
    print_stopped(report, to);
    fputc('\n', to);
    if (report->proof)
        fprintf(to, "%s\n", report->proof);
    print_weak_atomics(report, to);
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

/* Of a possible deadlock that is none of those found. */
static void print_warning(const struct sm_hunt_report *report,
                          const struct sm_hunt_warning *warning, FILE *to)
{
    fprintf(to, "warning: %s: %s\n", sm_failure_words[warning->failure.kind],
            warning->failure.detail);
    if (warning->failure.kind == SM_FAILURE_LOCK_ORDER)
        fprintf(to,
                "  None of %lu executions ended in that deadlock: it is feasible by the order of "
                "the locks alone.\n",
                (unsigned long)report->executions);
    fprintf(to, "  %s.\n", sm_failure_advice[warning->failure.kind]);
}

void sm_report_hunt_text(const struct sm_hunt_report *report, bool verbose, bool color, FILE *to)
{
    struct sm_paint paint = sm_paint_choose(color);
    const struct sm_hunt_race **races = sorted(report);
    for (size_t i = 0; i < report->n_races; i++)
        if (races[i]->verdict == SM_VERDICT_DESTRUCTIVE && !is_under(report, races[i]->cause))
            print_destructive(report, races[i], &paint, to);
    for (size_t i = 0; i < report->n_failures; i++)
        print_failure(report, &report->failures[i], &paint, to);
    for (size_t i = 0; i < report->n_warnings; i++)
        if (!report->warnings[i].happens)
            print_warning(report, &report->warnings[i], to);
    print_baseline(report, to);
    if (report->n_races)
        print_table(report, races, verbose, &paint, to);
    print_not_innocent(report, races, to);
    print_summary(report, to);
    free(races);
}
