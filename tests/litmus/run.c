/*
 * run.c - every litmus test on the runtime's models: allowed outcomes are reached within 2,000
 * executions, and each is legal to the checker; forbidden ones are not seen in 20,000.
 *
 * Usage: litmus-run PROGRAM MODEL. One line for each test that went wrong; the last line
 * counts.
 */
#include <stdio.h>
#include <string.h>

#include "../../checker/check.h"
#include "../../target/input.h"
#include "../../target/target.h"

struct litmus {
    const char *name, *allowed;
};

static const struct litmus tests[] = {
#define SM_LITMUS(name, program, outcome, allowed) {name, allowed},
#include "litmus.def"
};

/* RC11 allows these only with an order of seq_cst operations that is not the order of
   execution, which is the only one the runtime explores: see docs/memory-models.md. */
static const char *const out_of_reach[] = {"IRIW+acq+sc", "Z6.U", "race+sc-order"};

enum { ENOUGH_ALLOWED = 2000, ENOUGH_FORBIDDEN = 20000, BATCHES = 8 };

static const struct {
    uint64_t schedule, heuristic;
} batches[BATCHES] = {
    {SM_SCHEDULE_RANDOM, SM_HEURISTIC_RANDOM},
    {SM_SCHEDULE_POS, SM_HEURISTIC_RANDOM},
    {SM_SCHEDULE_PCT, SM_HEURISTIC_RANDOM},
    {SM_SCHEDULE_RANDOM, SM_HEURISTIC_OLDEST},
    {SM_SCHEDULE_POS, SM_HEURISTIC_OLDEST},
    {SM_SCHEDULE_PCT, SM_HEURISTIC_OLDEST},
    {SM_SCHEDULE_RANDOM, SM_HEURISTIC_RANDOM_BUT_DIFFERENT},
    {SM_SCHEDULE_POS, SM_HEURISTIC_OLDEST_BUT_DIFFERENT},
};

static bool is_out_of_reach(const struct litmus *test, uint64_t model)
{
    for (unsigned i = 0; i < sizeof out_of_reach / sizeof *out_of_reach; i++)
        if (strcmp(test->name, out_of_reach[i]) == 0)
            return model >= SM_MODEL_C11;
    return false;
}

static struct sm_options options_for(uint64_t model)
{
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    options.model = model;
    options.pct_length = 20; /* a litmus test has about as many events */
    return options;
}

/* Runs one program; false and a message when it could not be run. */
static bool run(struct sm_target *target, const struct sm_options *options)
{
    struct sm_ended ended;
    struct sm_error error;
    if (sm_target_run(target, options, &ended, &error))
        return true;
    printf("%s: %s\n", target->arguments.items[1], error.text);
    return false;
}

/* The execution that had the outcome, once more, for the checker. */
static bool is_legal(struct sm_target *target, struct sm_options options)
{
    const struct sm_control *control = target->shared.control;
    options.seed = control->options.seed;
    options.repeat = 0;
    options.record = 1;
    if (!run(target, &options))
        return false;
    struct sm_check_options check = {.model = (enum sm_model_id)options.model,
                                     .volatile_as = SM_VOLATILE_RELAXED};
    struct sm_verdict verdict;
    if (control->end != SM_END_ASSERT) {
        printf("%s: the outcome was not seen again with seed %lu\n", target->arguments.items[1],
               options.seed);
        return false;
    }
    if (sm_check_records(target->shared.trace, control->trace_records, &check, &verdict))
        return true;
    printf("%s: the checker calls seed %lu illegal: %s: %s\n", target->arguments.items[1],
           options.seed, verdict.axiom, verdict.why);
    return false;
}

/* Was the outcome seen? -1: something else went wrong. */
static int look_for(struct sm_target *target, uint64_t model, uint64_t executions)
{
    struct sm_options options = options_for(model);
    const struct sm_control *control = target->shared.control;
    for (int batch = 0; batch < BATCHES; batch++) {
        options.schedule = batches[batch].schedule;
        options.heuristic = batches[batch].heuristic;
        options.seed = 1 + (uint64_t)batch * 1000000;
        options.repeat = executions / BATCHES;
        if (!run(target, &options))
            return -1;
        if (control->end == SM_END_ASSERT)
            return is_legal(target, options) ? 1 : -1;
        if (control->end != SM_END_EXIT || control->status != 0) {
            printf("%s: ended oddly (%u, %d): %s\n", target->arguments.items[1], control->end,
                   control->status, control->detail);
            return -1;
        }
    }
    return 0;
}

static bool check_test(const char *program, const struct litmus *test, uint64_t model)
{
    bool allowed = test->allowed[model] == '+' && !is_out_of_reach(test, model);
    char *arguments[] = {(char *)program, (char *)test->name, NULL};
    struct sm_target target;
    struct sm_error error;
    struct sm_buffer no_input = {0};
    int input = sm_input_from(&no_input, &error);
    if (input < 0 || !sm_target_open(&target, program, arguments, input, -1, -1, &error)) {
        printf("%s: %s\n", test->name, error.text);
        return false;
    }
    target.shared.control->watch_mode = SM_WATCH_ALL;
    int seen = look_for(&target, model, allowed ? ENOUGH_ALLOWED : ENOUGH_FORBIDDEN);
    if (seen == 0 && allowed)
        printf("%s: allowed, but not seen in %d executions\n", test->name, ENOUGH_ALLOWED);
    if (seen == 1 && !allowed)
        printf("%s: forbidden, but seen\n", test->name);
    sm_target_close(&target);
    return seen == allowed;
}

int main(int argc, char **argv)
{
    static const char *const models[] = {"sc", "tso", "pso", "c11", "hb", NULL};
    uint64_t model = 0;
    while (argc == 3 && models[model] && strcmp(models[model], argv[2]) != 0)
        model++;
    if (argc != 3 || !models[model]) {
        fprintf(stderr, "usage: litmus-run PROGRAM sc|tso|pso|c11|hb\n");
        return 2;
    }
    unsigned failed = 0, n = sizeof tests / sizeof *tests;
    for (unsigned i = 0; i < n; i++)
        failed += !check_test(argv[1], &tests[i], model);
    printf("%s: %u litmus tests, %u wrong\n", models[model], n, failed);
    return failed != 0;
}
