#include <string.h>

#include "base/words.h"
#include "findings/verify.h"

static void put_place(const struct sm_place *place, FILE *to)
{
    if (place->file)
        fprintf(to, " at %s:%u", place->file, place->line);
    if (place->function)
        fprintf(to, " in %s", place->function);
}

static void put_outcomes(const struct sm_verify_report *report, FILE *to)
{
    if (report->n_outcomes == 1 && !*report->outcomes[0].output)
        return;
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct sm_verify_outcome *outcome = &report->outcomes[i];
        size_t length = strlen(outcome->output);
        const char *mark = !report->expects     ? ""
                           : outcome->forbidden ? "forbidden  "
                                                : "allowed    ";
        fprintf(to, "%10lu  %s%s%s", (unsigned long)outcome->count, mark, outcome->output,
                length && outcome->output[length - 1] == '\n' ? "" : "\n");
    }
}

static void put_race(const struct sm_data_race *race, FILE *to)
{
    fprintf(to, "race on %s: %s", race->variable, race->first.kind);
    put_place(&race->first.place, to);
    fprintf(to, ", %s", race->second.kind);
    put_place(&race->second.place, to);
    fputc('\n', to);
}

void sm_report_verify_violation(const struct sm_verify_violation *violation, FILE *to)
{
    fprintf(to, "violation: %s: %s", sm_failure_words[violation->failure.kind],
            violation->failure.detail);
    put_place(&violation->failure.place, to);
    if (violation->witness)
        fprintf(to, "\n  to see it again: stalemate replay %s", violation->witness);
    fputc('\n', to);
}

/* Only seq_cst atomics and locks make a program without races sequentially consistent. */
static void put_freedom(const struct sm_verify_report *report, FILE *to)
{
    if (!report->complete || report->model != SM_MODEL_SC || report->n_races)
        return;
    fputs(report->weak ? "stalemate: verify: race-free, but with atomics weaker than seq_cst, so "
                         "other models may allow more: --model c11\n"
                       : "stalemate: verify: race-free, hence sequentially consistent\n",
          to);
}

void sm_report_verify_text(const struct sm_verify_report *report, FILE *to)
{
    put_outcomes(report, to);
    for (size_t i = 0; i < report->n_races; i++)
        put_race(&report->races[i], to);
    fprintf(to, "stalemate: verify: %s: %lu executions, %lu blocked, %zu violations, %.2f s%s\n",
            sm_model_words[report->model], (unsigned long)report->executions,
            (unsigned long)report->blocked, report->n_violations, report->seconds,
            report->complete ? "" : "; not complete");
    if (report->iterations)
        fprintf(to, "stalemate: verify: %lu iterations, write set %lu, %lu states\n",
                (unsigned long)report->iterations, (unsigned long)report->writes,
                (unsigned long)report->states);
    if (report->sampled)
        fputs(
            "stalemate: verify: not complete: of a number that __VERIFIER_nondet_... gives only a "
            "few values are tried; stalemate_choose(n) gives all of 0 to n - 1\n",
            to);
    put_freedom(report, to);
}
