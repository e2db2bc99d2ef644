/*
 * agree.c - nobody contradicts anybody: random little programs (plain, volatile and atomic accesses
 * of every order, a lock, branches), with lies about x, about y, and about both, in six models.
 *
 *   verify     says which outcomes there are: in a weaker model, and with more lies, never fewer;
 *   axioms     by brute force (../unit/enumerator.h) have the same ones, where nothing branches;
 *   runtime    shows no other in the executions that a hunt makes, and the checker calls each
 * legal; hunt       of an outcome that must not be: its verdict and model on x and on y are those
 * that follow from verify's outcomes, exactly if it says so, and else never stronger.
 *
 * The oracle of each is another one, so a mistake shows as a contradiction. As in
 * ../verify/agree.c no location that is stored atomically is read plainly.
 *
 * Usage: agree STALEMATE PROGRAM N SEED [ENUMERATED HUNTED MODELS]
 * makes N programs; one in so many is enumerated, and hunted, in so many models; without them each
 * one, and in all. AGREE_SHOW=1 shows each verdict.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../base/random.h"
#include "../../campaign/campaign.h"
#include "../../target/input.h"
#include "../unit/enumerator.h"

enum { MOST = 512, WIDTH = 80, ACCESSES = 6, RUNS = 4 };
enum { ABOUT_X, ABOUT_Y, ABOUT_BOTH, LIES };
static const char *const lie_words[] = {"x", "y", "x and y"};
static const char *const model_words[] = {"sc", "tso", "pso", "c11", "hb", "oota"};

struct outcome_set {
    char text[MOST][WIDTH];
    int n;
    bool complete;
};
static struct outcome_set explored[LIES][SM_MODELS], enumerated;
static struct en_outcome legal[MOST]; /* those enumerated, as they are */

static struct little {
    char text[256];
    bool finals, locks, branches;
} program;

static const char *stalemate, *binary;
static char file[64];
static struct sm_random stream;
static struct sm_target target;
static struct sm_sites sites;
static struct sm_watchlist lied[LIES];
static struct {
    int programs, wrong, complete, explorations, executions, enumerated, hunts, destructive, proved,
        exact;
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
    if (op == 'U')
        return updates[below(5)];
    if (!atomic)
        return below(4) ? "" : "vol";
    return op == 'R' ? reads[below(3)] : writes[below(3)];
}

static int used;

static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += vsnprintf(program.text + used, sizeof program.text - (size_t)used, format, arguments);
    va_end(arguments);
}

struct places {
    bool stored_atomically[2], atomic[2];
    int value;
};

static char add_access(struct places *places, bool branched)
{
    char op = branched ? 'W' : "RRRWWWU"[below(7)];
    unsigned location = below(2);
    bool stored = places->stored_atomically[location];
    if (op == 'U' && !stored)
        op = 'W';
    const char *order = order_of(op, op == 'R' ? stored || below(2) : stored && below(2));
    places->atomic[location] |= *order && strcmp(order, "vol") != 0;
    if (op == 'R')
        say("R %c %s", "xy"[location], order);
    else
        say("%c %c %d %s", op, "xy"[location], 1 + (places->value++ + (int)below(2)) % 3, order);
    return op;
}

static void add_thread(struct places *places, int n)
{
    char last = 0;
    for (int i = 0; i < n; i++) {
        bool locked = program.locks && i == 0, branches = last == 'R' && !below(3);
        say("%s%s", i ? "; " : "", locked ? "L m; " : "");
        if (branches)
            say("C %d; ", (int)below(3));
        program.branches |= branches;
        last = add_access(places, branches);
        if (locked) {
            say("; M m");
            last = 0;
        }
    }
}

static void make(void)
{
    int threads = 2 + (int)below(2), left = ACCESSES;
    struct places places = {.stored_atomically = {!below(3), !below(3)}};
    program = (struct little){.locks = below(4) == 0};
    used = 0;
    for (int t = 0; t < threads; t++) {
        int n = t == threads - 1 ? left : 1 + (int)below((unsigned)(left - (threads - 1 - t)));
        left -= n;
        say("%s", t ? " | " : "");
        add_thread(&places, n > 3 ? 3 : n);
    }
    program.finals = places.atomic[0] && places.atomic[1];
}

static void write_program(const char *forbidden)
{
    FILE *to = fopen(file, "w");
    fprintf(to, "%s\n%c%s\n", program.text, program.finals ? 'F' : '-', forbidden);
    fclose(to);
}

static void blame(const char *lies, int model, const char *what, const char *outcome)
{
    printf("'%s'%s, lies about %s under %s: %s %s\n", program.text, program.finals ? " F" : "",
           lies, model < SM_MODELS ? model_words[model] : "none", what, outcome);
    totals.wrong++;
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

/* ---- verify ---- */

static struct sm_options options_for(int model)
{
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    options.model = (uint64_t)model;
    return options;
}

static void set_lies(int lies)
{
    struct sm_control *control = target.shared.control;
    control->watch_mode = SM_WATCH_ALL;
    control->lie_mode = SM_LIE_LIST;
    sm_watchlist_bits(&lied[lies], control->n_sites, control->lie_bits);
}

static bool run(const struct sm_options *options)
{
    struct sm_ended ended;
    struct sm_error error = {0};
    return sm_target_run(&target, options, &ended, &error);
}

static void explore(int lies, int model)
{
    struct sm_options options = options_for(model);
    struct sm_control *control = target.shared.control;
    struct outcome_set *set = &explored[lies][model];
    options.explore = SM_EXPLORE_EVERYTHING;
    options.prescient = model >= SM_MODEL_HB;
    set_lies(lies);
    control->explored = (struct sm_explored){0};
    control->executions = 0;
    set->n = 0;
    set->complete = false;
    totals.explorations++;
    if (!run(&options) || control->explored.state != SM_EXPLORED_DONE) {
        blame(lie_words[lies], model, "not explored:", control->detail);
        return;
    }
    const char *at = (const char *)target.shared.trace;
    for (uint32_t i = 0; i < control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        char text[WIDTH] = "";
        memcpy(&header, at, sizeof header);
        memcpy(text, at + sizeof header, header.size < WIDTH ? header.size - 1 : WIDTH - 1);
        add(set, text);
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    set->complete = !control->explored.cut;
    totals.complete += set->complete;
}

static void compare(int lies, int model, const struct outcome_set *with, const char *what)
{
    const struct outcome_set *fewer = &explored[lies][model];
    for (int i = 0; i < fewer->n && with->complete; i++)
        if (!has(with, fewer->text[i]))
            blame(lie_words[lies], model, what, fewer->text[i]);
}

static void compare_explored(void)
{
    for (int lies = 0; lies < LIES; lies++)
        for (int model = 0; model < SM_MODELS; model++) {
            if (model + 1 < SM_MODELS)
                compare(lies, model, &explored[lies][model + 1], "the next model does not have");
            compare(lies, model, &explored[ABOUT_BOTH][model], "lies about both do not lead to");
        }
    for (int lies = 0; lies < LIES; lies++)
        compare(ABOUT_BOTH, SM_MODEL_SC, &explored[lies][SM_MODEL_SC], "another sc does not have");
}

/* ---- the axioms ---- */

struct enumeration {
    struct en_request request;
    int lies;
};

/* Records of a location that is not lied about lose their mark. */
static bool is_legal(const struct en_trace *trace, const struct enumeration *of)
{
    struct sm_record records[EN_RECORDS];
    memcpy(records, trace->records, trace->n * sizeof *records);
    for (uint32_t i = 0; i < trace->n; i++) {
        int location = en_location(&records[i]);
        if (of->lies != ABOUT_BOTH && location >= 0 && location != of->lies)
            records[i].flags &= (uint8_t)~SM_RECORD_LIED;
    }
    return en_legal(records, trace->n, &of->request.options);
}

static bool is_enumerated(const struct en_outcome *outcome)
{
    for (int i = 0; i < enumerated.n; i++)
        if (memcmp(legal[i].read, outcome->read, sizeof outcome->read) == 0 &&
            memcmp(legal[i].final, outcome->final, sizeof outcome->final) == 0)
            return true;
    return false;
}

/* One legal trace is enough for an outcome: most traces need no judgement, which is what costs. */
static void note_legal(const struct en_trace *trace, void *context)
{
    const struct enumeration *of = context;
    char text[WIDTH] = "";
    int length = 0;
    if (is_enumerated(&trace->outcome) || !is_legal(trace, of))
        return;
    legal[enumerated.n] = trace->outcome;
    for (uint32_t i = 0; i < trace->outcome.n; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, "%lu ", trace->outcome.read[i]);
    for (uint32_t l = 0; of->request.program->final[0] && l < 2; l++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%c=%lu ", "xy"[l],
                           trace -> outcome.final[l]);
    add(&enumerated, text);
}

static void enumerate(int lies, int model)
{
    struct en_program parsed;
    en_parse(program.text, &parsed);
    parsed.final[0] = parsed.final[1] = program.finals;
    struct enumeration of = {.lies = lies,
                             .request = {.program = &parsed,
                                         .options = {.model = (enum sm_model_id)model,
                                                     .volatile_as = SM_VOLATILE_RELAXED,
                                                     .prescient = model >= SM_MODEL_HB},
                                         .forced = model < SM_MODEL_C11,
                                         .plausible = true,
                                         .visit = note_legal}};
    of.request.context = &of;
    enumerated.n = 0;
    en_traces(&of.request);
}

/* A thread that runs alone may find a lock held: then hb has less than these axioms, which know
   nothing of certificates; and where a read decides what is stored, too. */
static void compare_enumerated(int lies, int model)
{
    const struct outcome_set *set = &explored[lies][model];
    enumerate(lies, model);
    for (int i = 0; i < set->n; i++)
        if (!has(&enumerated, set->text[i]))
            blame(lie_words[lies], model, "the axioms forbid", set->text[i]);
    bool all = set->complete && !(model == SM_MODEL_HB && program.locks);
    for (int i = 0; i < enumerated.n && all; i++)
        if (!has(set, enumerated.text[i]))
            blame(lie_words[lies], model, "the axioms allow", enumerated.text[i]);
    totals.enumerated++;
}

/* ---- runtime and checker ---- */

static void outcome_of_run(char *text)
{
    const struct sm_control *control = target.shared.control;
    size_t n = control->outcome_bytes < WIDTH ? control->outcome_bytes : WIDTH - 1;
    memcpy(text, control->outcome, n);
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
}

static void make_run(int lies, int model, uint64_t seed)
{
    static const uint64_t schedules[] = {SM_SCHEDULE_RANDOM, SM_SCHEDULE_PATIENT, SM_SCHEDULE_POS,
                                         SM_SCHEDULE_PCT};
    struct sm_options options = options_for(model);
    const struct sm_control *control = target.shared.control;
    struct sm_check_options check = {.model = (enum sm_model_id)model,
                                     .volatile_as = SM_VOLATILE_RELAXED};
    struct sm_verdict verdict;
    char text[WIDTH];
    options.schedule = schedules[seed % 4];
    options.pct_length = 20;
    options.heuristic = 1 + seed % (SM_HEURISTICS - 1);
    options.seed = seed;
    options.record = 1;
    set_lies(lies);
    if (!run(&options) || control->end != SM_END_EXIT) {
        blame(lie_words[lies], model, "a run fails:", control->detail);
        return;
    }
    outcome_of_run(text);
    if (explored[lies][model].complete && !has(&explored[lies][model], text))
        blame(lie_words[lies], model, "verify does not have what a run shows:", text);
    if (!sm_check_records(target.shared.trace, control->trace_records, &check, &verdict))
        blame(lie_words[lies], model, "the checker refuses a run:", verdict.why);
    totals.executions++;
}

/* ---- hunt ---- */

/* The strongest model, of these, in which lies about the variable lead to the outcome; SM_MODELS:
   none does; -1: not known. */
static int true_model(int lies, const char *outcome, int weakest)
{
    for (int model = 0; model <= weakest; model++) {
        if (has(&explored[lies][model], outcome))
            return model;
        if (!explored[lies][model].complete)
            return -1;
    }
    return SM_MODELS;
}

/* Each with a store of its own: the file is not part of what makes an execution the same. */
static json_t *hunt(const char *options, const char *out)
{
    char command[1024], path[128];
    snprintf(path, sizeof path, "%s/hunt.json", out);
    snprintf(command, sizeof command,
             "%s hunt --quiet --trust-foreign --trials 12 %s --out %s/%d --json %s -- %s %s "
             ">/dev/null 2>%s/errors",
             stalemate, options, out, totals.hunts, path, binary, file, out);
    int status = system(command);
    totals.hunts++;
    return WEXITSTATUS(status) > 1 ? NULL : json_load_file(path, 0, NULL);
}

static int model_of(const json_t *race)
{
    const char *word = json_string_value(json_object_get(race, "model"));
    for (int i = 0; word && i < SM_MODELS; i++)
        if (strcmp(word, model_words[i]) == 0)
            return i;
    return SM_MODELS;
}

/* Of a hunt in this model: weaker ones are none of its business. */
static void judge_race(const json_t *race, const char *outcome, int model, const char *options)
{
    const char *variable = json_string_value(json_object_get(race, "variable"));
    const char *verdict = json_string_value(json_object_get(race, "verdict"));
    bool exact = json_is_true(json_object_get(race, "exact"));
    int lies = *variable == 'x' ? ABOUT_X : ABOUT_Y, truth = true_model(lies, outcome, model);
    int said = strcmp(verdict, "destructive") == 0 ? model_of(race) : SM_MODELS;
    bool proved = strcmp(verdict, "proved-benign") == 0;
    if (getenv("AGREE_SHOW"))
        printf("  '%s' never %s: %s %s, model %d, true %d %s\n", program.text, outcome, variable,
               verdict, said, truth, options);
    totals.exact += exact;
    totals.proved += proved;
    totals.destructive += said < SM_MODELS;
    if (truth < 0)
        return;
    if (exact && said != truth)
        blame(variable, truth, options, "hunt's exact model is another");
    if (said < truth)
        blame(variable, truth, options, "hunt's model is stronger");
    if (proved && truth < SM_MODELS)
        blame(variable, truth, options, "hunt has proved it benign");
}

/* An outcome that needs lies about one variable, if there is one; else one that needs any, or that
   never comes. */
static const char *choose_outcome(void)
{
    const struct outcome_set *all = &explored[ABOUT_BOTH][SM_MODEL_OOTA];
    const char *best = NULL;
    for (int i = 0; i < all->n; i++) {
        const char *text = all->text[i];
        if (has(&explored[ABOUT_BOTH][SM_MODEL_SC], text))
            continue;
        best = text;
        if (has(&explored[ABOUT_X][SM_MODEL_OOTA], text) ||
            has(&explored[ABOUT_Y][SM_MODEL_OOTA], text))
            return text;
    }
    return best ? best : "none";
}

static void compare_hunt(const char *outcome, int model, bool exact, const char *out)
{
    char options[64];
    snprintf(options, sizeof options, "--model %s%s", model_words[model],
             exact ? "" : " --no-exact");
    json_t *json = hunt(options, out), *race;
    size_t k;
    if (!json)
        blame("each", model, "hunt fails", options);
    json_array_foreach(json_object_get(json, "races"), k, race)
        judge_race(race, outcome, model, options);
    json_decref(json);
}

/* In so many models, each with verify and by trials alone; others for each program. */
static void compare_hunts(int number, int n_models, const char *out)
{
    const char *outcome = choose_outcome();
    write_program(outcome);
    for (int i = 0; i < n_models; i++) {
        int model = n_models == 1 ? SM_MODEL_OOTA : (number + i) % SM_MODELS;
        compare_hunt(outcome, model, true, out);
        compare_hunt(outcome, model, false, out);
    }
}

/* ---- all together ---- */

struct share {
    int enumerated, hunted; /* one program in so many */
    int models;             /* of a program that is hunted */
};

static void look_at_program(int number, const struct share *share, const char *out)
{
    make();
    write_program("");
    for (int lies = 0; lies < LIES; lies++)
        for (int model = 0; model < SM_MODELS; model++)
            explore(lies, model);
    compare_explored();
    for (int i = 0; i < RUNS; i++) {
        int lies = (number + i) % LIES;
        for (int model = SM_MODEL_TSO; model <= SM_MODEL_HB; model++)
            make_run(lies, model, (uint64_t)(number * RUNS + i));
    }
    for (int lies = 0; lies < LIES && !program.branches && number % share->enumerated == 0; lies++)
        for (int model = 0; model < SM_MODELS; model++)
            compare_enumerated(lies, model);
    if (number % share->hunted == 0)
        compare_hunts(number, share->models, out);
    totals.programs++;
}

static bool open_program(void)
{
    char *arguments[] = {(char *)binary, file, NULL};
    struct sm_buffer no_input = {0};
    struct sm_error error = {0};
    int input = sm_input_from(&no_input, &error);
    write_program("");
    if (input < 0 || !sm_target_open(&target, binary, arguments, input, -1, -1, &error)) {
        printf("%s\n", error.text);
        return false;
    }
    target.serve = true;
    if (!sm_target_prepare(&target, &error) || !sm_shared_sites(&target.shared, &sites))
        return false;
    for (uint32_t i = 0; i < sites.n; i++)
        for (int lies = 0; lies < LIES; lies++)
            if (lies == ABOUT_BOTH || strcmp(sites.rows[i].variable, lie_words[lies]) == 0)
                sm_watchlist_add(&lied[lies], sites.rows[i].number);
    return true;
}

int main(int argc, char **argv)
{
    struct share share = {1, 1, SM_MODELS};
    if (argc != 5 && argc != 8) {
        fprintf(stderr, "usage: %s STALEMATE PROGRAM N SEED [ENUMERATED HUNTED MODELS]\n", argv[0]);
        return 2;
    }
    if (argc == 8)
        share = (struct share){atoi(argv[5]), atoi(argv[6]), atoi(argv[7])};
    char out[] = "/tmp/agree-XXXXXX";
    stalemate = argv[1];
    binary = argv[2];
    if (!mkdtemp(out))
        return 2;
    snprintf(file, sizeof file, "%s/program", out);
    stream = sm_random_seed(strtoull(argv[4], NULL, 10), 1);
    make();
    if (!open_program())
        return 2;
    for (int i = 0, n = atoi(argv[3]); i < n; i++)
        look_at_program(i, &share, out);
    sm_target_close(&target);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf %s", out);
    if (system(remove) != 0)
        return 2;
    printf(
        "%d programs: %d of %d explorations complete, %d compared with the axioms, %d runs, %d "
        "hunts with %d destructive and %d proved verdicts, %d of them exact: %d contradictions\n",
        totals.programs, totals.complete, totals.explorations, totals.enumerated, totals.executions,
        totals.hunts, totals.destructive, totals.proved, totals.exact, totals.wrong);
    if (totals.hunts && !totals.exact)
        puts("no verdict was exact: nothing was compared");
    return totals.wrong != 0 || (totals.hunts && !totals.exact);
}
