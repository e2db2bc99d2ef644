#include <string.h>

#include "base/words.h"
#include "findings/run.h"
#include "findings/text.h"
#include "findings/voice.h"

/* Details may have several lines; all but the first are indented. */
static void print_detail(const char *detail, FILE *to)
{
    while (*detail) {
        size_t length = strcspn(detail, "\n");
        fprintf(to, "%.*s\n", (int)length, detail);
        detail += length + (detail[length] == '\n');
        if (*detail)
            fputs("  ", to);
    }
}

static void print_stack(const struct sm_stack *stack, const struct sm_paint *paint, FILE *to)
{
    struct sm_list frames = {0};
    sm_voice_stack(stack, &frames);
    for (size_t i = 0; i < frames.n; i++)
        fprintf(to, "    %s%s%s\n", paint->dim, frames.items[i], paint->off);
    sm_list_free(&frames);
}

static void print_related(const struct sm_related *related, const struct sm_paint *paint, FILE *to)
{
    fprintf(to, "  %s by thread %u", related->role, related->thread);
    if (related->place.file) {
        fputs(" at ", to);
        sm_text_place(&related->place, to);
    }
    fputc('\n', to);
    print_stack(&related->stack, paint, to);
}

static void print_failure(const struct sm_failure *failure, const char *mark, const char *color,
                          const struct sm_paint *paint, FILE *to)
{
    fprintf(to, "stalemate: %s%s%s: %s: ", color, mark, *color ? paint->off : "",
            sm_failure_words[failure->kind]);
    print_detail(failure->detail, to);
    if (failure->place.file) {
        fprintf(to, "  in thread %u at ", failure->thread);
        sm_text_place(&failure->place, to);
        fputc('\n', to);
    }
    print_stack(&failure->stack, paint, to);
    for (uint32_t i = 0; i < failure->n_related; i++)
        print_related(&failure->related[i], paint, to);
}

static void print_warnings(const struct sm_outcome *outcome, const struct sm_paint *paint, FILE *to)
{
    for (uint32_t i = 0; i < outcome->n_warnings; i++)
        print_failure(&outcome->warnings[i], "warning", "", paint, to);
}

static void print_end(const struct sm_run_report *report, const struct sm_paint *paint, FILE *to)
{
    const struct sm_outcome *outcome = report->outcome;
    if (report->departure)
        fprintf(to, "stalemate: %sNOT reproduced%s: departed at %s\n", paint->bad, paint->off,
                report->departure);
    else if (outcome->failure.kind != SM_FAILURE_NONE)
        print_failure(&outcome->failure, "FAILED", paint->bad, paint, to);
    else if (outcome->assumed)
        fprintf(to, "stalemate: an assumption does not hold: no execution of the program\n");
    else if (outcome->unvalidated)
        fprintf(to, "stalemate: a value from the future was never stored: no execution of the "
                    "program\n");
    else
        fprintf(to, "stalemate: %sok%s: exit status %d\n", paint->good, paint->off,
                outcome->exit_status);
}

static void print_counters(const uint64_t *counters, FILE *to)
{
    static const char *const words[] = {
#define SM_COUNTER(name, word) word,
#include "abi/counters.def"
    };
    for (int i = 0; i < SM_COUNTERS; i++)
        if (counters[i])
            fprintf(to, "  %lu %s\n", (unsigned long)counters[i], words[i]);
}

void sm_report_run_text(const struct sm_run_report *report, bool verbose, bool color, FILE *to)
{
    const struct sm_outcome *outcome = report->outcome;
    struct sm_paint paint = sm_paint_choose(color);
    for (size_t i = 0; report->story && i < report->story->n; i++)
        fprintf(to, "%s\n", report->story->items[i]);
    print_warnings(outcome, &paint, to);
    print_end(report, &paint, to);
    fprintf(to, "  %lu events, %u thread%s, seed %lu, model %s, schedule %s, trace %016lx\n",
            (unsigned long)outcome->events, outcome->n_threads, outcome->n_threads == 1 ? "" : "s",
            (unsigned long)report->options->seed, sm_model_words[report->options->model],
            sm_schedule_words[report->options->schedule], (unsigned long)outcome->trace_hash);
    struct sm_buffer repairs = {0};
    sm_voice_repairs(&repairs, report->repairs);
    if (repairs.size && !(report->story && report->story->n))
        fprintf(to, "  %s\n", repairs.data);
    sm_buffer_free(&repairs);
    if (verbose)
        print_counters(report->counters, to);
    if (report->witness && outcome->records_lost)
        fprintf(to, "  the witness is incomplete: %lu events found no room in it\n",
                (unsigned long)outcome->records_lost);
    if (report->replayed && !report->departure)
        fprintf(to, "  the same as recorded in %s, event for event\n", report->witness);
    if (report->again && outcome->failure.kind != SM_FAILURE_NONE)
        fprintf(to, "  replay with: %s\n", report->again);
}
