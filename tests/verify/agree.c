/*
 * agree.c - nobody contradicts the axioms: random little programs (plain, volatile, atomic accesses
 * of every order, weak compare-exchanges, fences, a lock) under the six models.
 *
 * The oracle is the checker's brute-force twin (../unit/enumerator.h): every candidate trace,
 * judged by the axioms as the textbooks print them. For each program and model
 *
 *   verify   finds no outcome that the axioms forbid, and all that they allow if it says that it is
 *            complete (hb without and with future values, oota);
 *   runtime  shows no outcome that they forbid in any of its executions;
 *   checker  calls each of these executions legal.
 *
 * No location that is stored atomically is read plainly: there the runtime and verify let a later
 * store in modification order hide an earlier one, which the axioms do not ask for
 * (docs/memory-models.md). Where nothing branches, what is stored does not depend on what is read,
 * and hb and oota allow the same; but for a lock, which a thread that runs alone may find held.
 *
 * Usage: verify-agree PROGRAM N SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/random.h"
#include "../../target/input.h"
#include "../unit/enumerator.h"
#include "explored.h"

enum { MOST = 1024, WIDTH = 96, RUNS = 24, ACCESSES = 5 };

struct outcome_set {
    char text[MOST][WIDTH];
    int n;
    bool complete;
};

struct little_program {
    char text[256];
    bool finals, locks; /* what memory holds in the end is looked at; there is a lock */
};

/* How verify, the runtime and the oracle are asked. */
static const struct column {
    const char *name;
    enum sm_model_id model;
    bool prescient;
} columns[] = {{"sc", SM_MODEL_SC, false},       {"tso", SM_MODEL_TSO, false},
               {"pso", SM_MODEL_PSO, false},     {"c11", SM_MODEL_C11, false},
               {"hb, past", SM_MODEL_HB, false}, {"hb", SM_MODEL_HB, true},
               {"oota", SM_MODEL_OOTA, true}};
enum { COLUMNS = sizeof columns / sizeof *columns, PAST = 4, HB = 5, OOTA = 6 };

static struct sm_random stream;
static struct outcome_set allowed[COLUMNS], found;
static struct {
    int programs, wrong, complete, outcomes, executions;
} totals;

/* ---- programs ---- */

static unsigned below(unsigned n)
{
    return (unsigned)(sm_random_next(&stream) % n);
}

static const char *order_of(char op, bool atomic)
{
    static const char *const reads[] = {"rlx", "acq", "sc"}, *const writes[] = {"rlx", "rel", "sc"},
                             *const updates[] = {"rlx", "acq", "rel", "ar", "sc"};
    if (op == 'C')
        return updates[below(4)];
    if (op == 'U')
        return updates[below(5)];
    if (!atomic)
        return below(4) ? "" : "vol";
    return op == 'R' ? reads[below(3)] : writes[below(3)];
}

struct places_used {
    bool stored_atomically[2]; /* what is, is not read plainly */
    bool atomic[2];            /* found so far */
    int value;
};

static int add_access(char *to, size_t room, struct places_used *used)
{
    char op = "RRWWWUC"[below(7)];
    unsigned location = below(2);
    bool stored = used->stored_atomically[location];
    if (strchr("UC", op) && !stored)
        op = 'W';
    const char *order = order_of(op, op == 'R' ? stored || below(2) : stored && below(2));
    used->atomic[location] |= *order && strcmp(order, "vol") != 0;
    if (op == 'R')
        return snprintf(to, room, "R %c %s", "xy"[location], order);
    return snprintf(to, room, "%c %c %d %s", op, "xy"[location], ++used->value, order);
}

/* Two or three threads with `ACCESSES` accesses in all; one in four has a lock around one of them.
 */
static void make(struct little_program *program)
{
    int threads = 2 + (int)below(2), left = ACCESSES, used = 0;
    struct places_used places = {.stored_atomically = {below(2), below(2)}};
    *program = (struct little_program){.locks = below(4) == 0};
    for (int t = 0; t < threads; t++) {
        int n = t == threads - 1 ? left : 1 + (int)below((unsigned)(left - (threads - 1 - t)));
        left -= n;
        if (n > 3)
            n = 3;
        used += snprintf(program->text + used, sizeof program->text - (size_t)used, "%s",
                         t ? " | " : "");
        for (int i = 0; i < n; i++) {
            bool locked = program->locks && i == 0;
            used += snprintf(program->text + used, sizeof program->text - (size_t)used, "%s%s",
                             i ? "; " : "", locked ? "L m; " : "");
            used += add_access(program->text + used, sizeof program->text - (size_t)used, &places);
            if (locked)
                used +=
                    snprintf(program->text + used, sizeof program->text - (size_t)used, "; M m");
        }
    }
    program->finals = places.atomic[0] && places.atomic[1];
}

/* ---- outcomes ---- */

static bool has(const struct outcome_set *set, const char *text)
{
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->text[i], text) == 0)
            return true;
    return false;
}

static void add(struct outcome_set *set, const char *text)
{
    if (has(set, text))
        return;
    if (set->n == MOST)
        abort();
    snprintf(set->text[set->n++], WIDTH, "%s", text);
}

/* The set that note_legal fills. */
static struct outcome_set *filled;

static void note_legal(const struct en_trace *trace, void *context)
{
    const struct en_request *request = context;
    char text[WIDTH] = "";
    int used = 0;
    if (!en_legal(trace->records, trace->n, &request->options))
        return;
    for (uint32_t i = 0; i < trace->outcome.n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%lu ", trace->outcome.read[i]);
    for (uint32_t l = 0; request->program->final[0] && l < EN_LOCATIONS; l++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%c=%lu ", "xyz"[l],
                         l < 2 ? trace->outcome.final[l] : 0ul);
    add(filled, text);
}

static void enumerate(const struct little_program *program, const struct column *column,
                      struct outcome_set *to)
{
    struct en_program parsed;
    en_parse(program->text, &parsed);
    parsed.final[0] = parsed.final[1] = program->finals;
    struct en_request request = {.program = &parsed,
                                 .options = {.model = column->model,
                                             .volatile_as = SM_VOLATILE_RELAXED,
                                             .prescient = column->prescient},
                                 .forced = column->model < SM_MODEL_C11,
                                 .visit = note_legal};
    request.context = &request;
    filled = to;
    to->n = 0;
    en_traces(&request);
}

/* ---- verify ---- */

static bool ask_verify(char **arguments, const struct column *column)
{
    struct sm_target target;
    bool opened, ok = explore_some(&target, &opened, arguments, column->model, column->prescient);
    const char *at = ok ? (const char *)target.shared.trace : NULL;
    found.n = 0;
    found.complete = ok && !target.shared.control->explored.cut;
    for (uint32_t i = 0; ok && i < target.shared.control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        char output[WIDTH] = "";
        memcpy(&header, at, sizeof header);
        memcpy(output, at + sizeof header, header.size < WIDTH ? header.size - 1 : WIDTH - 1);
        add(&found, output);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    if (opened)
        sm_target_close(&target);
    return ok;
}

static void blame(const struct little_program *program, const struct column *column,
                  const char *what, const char *outcome)
{
    printf("'%s' under %s: %s %s\n", program->text, column->name, what, outcome);
    totals.wrong++;
}

static void judge_verify(const struct little_program *program, char **arguments, int c)
{
    const struct column *column = &columns[c];
    const struct outcome_set *least = c == HB && program->locks ? &allowed[PAST] : &allowed[c];
    if (!ask_verify(arguments, column)) {
        blame(program, column, "verify fails", "");
        return;
    }
    for (int i = 0; i < found.n; i++)
        if (!has(&allowed[c], found.text[i]))
            blame(program, column, "verify finds", found.text[i]);
    for (int i = 0; i < least->n && found.complete; i++)
        if (!has(&found, least->text[i]))
            blame(program, column, "verify misses", least->text[i]);
    totals.complete += found.complete;
    totals.outcomes += found.n;
}

/* ---- runtime and checker ---- */

static struct sm_options run_options(const struct column *column, uint64_t seed)
{
    static const uint64_t schedules[] = {SM_SCHEDULE_RANDOM, SM_SCHEDULE_POS, SM_SCHEDULE_PCT};
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    options.model = column->model;
    options.schedule = schedules[seed % 3];
    options.pct_length = 20;
    options.heuristic = seed % SM_HEURISTICS;
    options.seed = seed;
    options.record = 1;
    return options;
}

/* What the reads and the final reads of the trace have seen, in the order of the program: each
   thread's records are in program order, and so are the threads. */
static void outcome_of(const struct sm_target *target, bool finals, char *text)
{
    const struct sm_control *control = target->shared.control;
    int used = 0, n_finals = 0;
    *text = 0;
    for (uint32_t t = 1; t < 5; t++)
        for (uint64_t i = 0; i < control->trace_records; i++) {
            const struct sm_record *r = &target->shared.trace[i];
            bool reads = r->kind == SM_EV_LOAD || r->kind == SM_EV_ATOMIC_LOAD;
            bool fails = r->kind == SM_EV_CAS_FAIL;
            if (r->thread == t && (reads || fails || r->kind == SM_EV_RMW))
                used += snprintf(text + used, WIDTH - (size_t)used, "%lu ",
                                 reads   ? r->value
                                 : fails ? r->value + EN_FAILED
                                         : r->old);
        }
    for (uint64_t i = 0; finals && i < control->trace_records; i++) {
        const struct sm_record *r = &target->shared.trace[i];
        if (r->thread == 0 && r->kind == SM_EV_ATOMIC_LOAD)
            used += snprintf(text + used, WIDTH - (size_t)used, "%c=%lu ", "xyz"[n_finals++ % 3],
                             r -> value);
    }
}

static void judge_run(const struct little_program *program, struct sm_target *target, int c)
{
    const struct sm_control *control = target->shared.control;
    struct sm_check_options check = {.model = columns[c].model, .volatile_as = SM_VOLATILE_RELAXED};
    struct sm_verdict verdict;
    char text[WIDTH];
    outcome_of(target, program->finals, text);
    if (!has(&allowed[c], text))
        blame(program, &columns[c], "the runtime shows", text);
    if (!sm_check_records(target->shared.trace, control->trace_records, &check, &verdict))
        blame(program, &columns[c], "the checker refuses", verdict.why);
    totals.executions++;
}

static void judge_runs(const struct little_program *program, char **arguments, int c)
{
    struct sm_target target;
    struct sm_error error;
    struct sm_ended ended;
    struct sm_buffer no_input = {0};
    int input = sm_input_from(&no_input, &error);
    if (input < 0 || !sm_target_open(&target, arguments[0], arguments, input, -1, -1, &error)) {
        blame(program, &columns[c], "cannot run:", error.text);
        return;
    }
    target.serve = true;
    target.shared.control->watch_mode = SM_WATCH_ALL;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct sm_options options = run_options(&columns[c], seed);
        if (!sm_target_run(&target, &options, &ended, &error) ||
            target.shared.control->end != SM_END_EXIT) {
            blame(program, &columns[c], "a run fails:", target.shared.control->detail);
            break;
        }
        judge_run(program, &target, c);
    }
    sm_target_close(&target);
}

/* ---- all together ---- */

static void compare(const char *binary, const struct little_program *program)
{
    char *arguments[] = {(char *)binary, (char *)program->text, program->finals ? NULL : "reads",
                         NULL};
    for (int c = 0; c < COLUMNS; c++) {
        enumerate(program, &columns[c], &allowed[c]);
        judge_verify(program, arguments, c);
        if (c <= PAST)
            judge_runs(program, arguments, c);
    }
    totals.programs++;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s PROGRAM N SEED\n", argv[0]);
        return 2;
    }
    stream = sm_random_seed(strtoull(argv[3], NULL, 10), 1);
    for (int i = 0, n = atoi(argv[2]); i < n; i++) {
        struct little_program program;
        make(&program);
        compare(argv[1], &program);
    }
    printf(
        "%d programs, six models: verify has %d outcomes and was complete in %d of %d cases, the "
        "runtime made %d executions: %d contradictions\n",
        totals.programs, totals.outcomes, totals.complete, totals.programs * COLUMNS,
        totals.executions, totals.wrong);
    return totals.wrong != 0;
}
