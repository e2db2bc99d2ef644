#include <string.h>

#include "abi/library_name.h"
#include "base/words.h"
#include "findings/text.h"
#include "findings/verify.h"
#include "findings/voice.h"

static void put_outcomes(const struct sm_verify_report *report, FILE *to)
{
    if (report->n_outcomes == 0 || (report->n_outcomes == 1 && !*report->outcomes[0].output))
        return;
    fputs("outputs:\n", to);
    for (size_t i = 0; i < report->n_outcomes; i++) {
        const struct sm_verify_outcome *outcome = &report->outcomes[i];
        size_t length = strlen(outcome->output);
        const char *mark = !report->expects     ? ""
                           : outcome->forbidden ? "forbidden  "
                                                : "allowed    ";
        fprintf(to, "%10lu  %s%s%s", (unsigned long)outcome->count, mark, outcome->output,
                length && outcome->output[length - 1] == '\n' ? "" : "\n");
        if (outcome->witness)
            fprintf(to, "            an execution: stalemate replay %s\n", outcome->witness);
    }
}

/* The stack, if it has callers: the innermost frame alone was already printed. Frames of libraries
   are left out. */
static void put_callers(const struct sm_access *access, FILE *to)
{
    const char *join = "";
    if (access->stack.n < 2)
        return;
    for (uint32_t i = 0; i < access->stack.n; i++) {
        const struct sm_place *frame = &access->stack.frames[i];
        if (!frame->file || !frame->function || sm_library_file(frame->file))
            continue;
        if (!*join)
            fprintf(to, "    thread %u:", access->thread);
        fprintf(to, "%s %s %s:%u", join, frame->function, frame->file, frame->line);
        join = ", called by";
    }
    if (*join)
        fputc('\n', to);
}

static void put_race(const struct sm_data_race *race, FILE *to)
{
    struct sm_buffer text = {0};
    sm_voice_race(&text, race->variable, NULL, NULL, &race->first, &race->second);
    fprintf(to, "%s\n", text.data);
    put_callers(&race->first, to);
    put_callers(&race->second, to);
    sm_buffer_free(&text);
}

void sm_report_verify_violation(const struct sm_verify_violation *violation, FILE *to)
{
    struct sm_buffer text = {0};
    sm_voice_failure_kind(&text, &violation->failure);
    fprintf(to, "violation: %s\n", text.data);
    if (violation->witness)
        fprintf(to, "  replay with: stalemate replay %s\n", violation->witness);
    sm_buffer_free(&text);
}

static void put_repairs(const struct sm_verify_report *report, FILE *to)
{
    struct sm_buffer text = {0};
    sm_voice_repairs(&text, report->repairs ? report->repairs : "");
    if (text.size)
        fprintf(to, "%s\n", text.data);
    sm_buffer_free(&text);
}

/* Users may not know the term, so it is explained. */
static void put_blocked(const struct sm_verify_report *report, FILE *to)
{
    if (report->blocked)
        fprintf(to,
                "  blocked: %lu partial execution%s that no execution of the program extends (an "
                "assumption fails, a spin loop never ends, or a thread waits for ever)\n",
                (unsigned long)report->blocked, report->blocked == 1 ? "" : "s");
}

/* What they store may race with an access, and that is not found. */
static void put_unseen(const struct sm_verify_report *report, FILE *to)
{
    static const char *const texts[] = {
        "",
#define SM_UNSEEN(symbol, text) text,
#define SM_UNSEEN_C(name) #name "()",
#define SM_UNSEEN_SHARED(name) #name "()",
#include "abi/unseen.def"
    };
    if (report->unseen)
        fprintf(
            to,
            "  not seen: accesses by %s, which is not instrumented; a race with one of them, or "
            "what follows from their order, is not found\n",
            texts[report->unseen]);
}

/* Only seq_cst atomics and locks make a program without races sequentially consistent. */
static void put_freedom(const struct sm_verify_report *report, FILE *to)
{
    if (!report->complete || report->model != SM_MODEL_SC || report->n_races ||
        report->n_violations || report->unseen)
        return;
    fputs(report->weak ? "stalemate: verify: race-free, but with atomics weaker than seq_cst, so "
                         "other models may allow more: --model c11\n"
                       : "stalemate: verify: race-free, hence sequentially consistent\n",
          to);
}

/* Most tests have threads of less than a hundred events. */
static void put_longest(const struct sm_verify_report *report, FILE *to)
{
    enum { EVENTS_TO_TELL = 1000 };
    if (report->complete || report->most_events < EVENTS_TO_TELL || !report->longest_file)
        return;
    if (report->cut & SM_CUT_BIT(ROUNDS)) {
        fprintf(to, "  %s:%u: in the loop\n", report->longest_file, report->longest_line);
        return;
    }
    fprintf(
        to,
        "  %s:%u: a thread has %lu events when it comes here: a loop that counts its iterations "
        "is explored for each number of them; --bound 100 ends a thread after 100 events\n",
        report->longest_file, report->longest_line, (unsigned long)report->most_events);
}

static void put_preemptions(const struct sm_verify_report *report, FILE *to)
{
    uint64_t most = report->proved - 1;
    if (!report->bounded || report->complete)
        return;
    if (!report->proved)
        fputs("  not even all executions without a preemption were explored\n", to);
    else if (most == 0)
        fputs("  explored: every execution without a preemption\n", to);
    else
        fprintf(to, "  explored: every execution with at most %lu preemption%s\n",
                (unsigned long)most, most == 1 ? "" : "s");
}

static void put_cuts(const struct sm_verify_report *report, FILE *to)
{
    for (unsigned i = 0; i < SM_CUTS; i++)
        if (report->cut >> i & 1)
            fprintf(to, "  not complete: %s\n", sm_cut_texts[i]);
}

/* ", which stand for 864 (symmetric threads)" */
static void put_stood_for(const struct sm_verify_report *report, FILE *to)
{
    bool fits = report->stands_for < SM_MOST_STOOD_FOR;
    if (report->stands_for <= report->executions)
        return;
    fprintf(to, ", which stand%s for %s%lu (symmetric threads)", report->executions == 1 ? "s" : "",
            fits ? "" : "more than ", (unsigned long)report->stands_for - !fits);
}

void sm_report_verify_text(const struct sm_verify_report *report, FILE *to)
{
    put_outcomes(report, to);
    for (size_t i = 0; i < report->n_races; i++)
        put_race(&report->races[i], to);
    sm_failures_text(&report->warnings, "warning", to);
    put_repairs(report, to);
    fprintf(to, "stalemate: verify: %s: %lu executions", sm_model_words[report->model],
            (unsigned long)report->executions);
    put_stood_for(report, to);
    fprintf(to, ", %lu blocked, %zu violations, %.2f s%s\n", (unsigned long)report->blocked,
            report->n_violations, report->seconds, report->complete ? "" : "; not complete");
    put_cuts(report, to);
    put_blocked(report, to);
    put_preemptions(report, to);
    put_unseen(report, to);
    put_longest(report, to);
    if (report->iterations && report->model == SM_MODEL_SC)
        fprintf(to, "  %lu states looked at\n", (unsigned long)report->states);
    else if (report->iterations)
        fprintf(to,
                "  fixed point after %lu iterations: %lu stores that a load may see before they "
                "happen, %lu states looked at\n",
                (unsigned long)report->iterations, (unsigned long)report->writes,
                (unsigned long)report->states);
    put_freedom(report, to);
}
