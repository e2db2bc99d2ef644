/* Hunts: races to variables, plans, baselines and verdicts, the store. Nothing is executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../abi/coverage.h"
#include "../../campaign/plan.h"
#include "../../campaign/store.h"
#include "../../hunt/covered.h"
#include "../../hunt/races.h"
#include "../../hunt/tally.h"

/* ---- races to variables ---- */

static struct sm_site_row rows[] = {
    {.number = 0, .variable = "Point.x", .kind = SM_SITE_STORE},
    {.number = 1, .variable = "Point.x", .kind = SM_SITE_LOAD},
    {.number = 2, .variable = "*p", .kind = SM_SITE_LOAD},
    {.number = 3, .variable = "*q", .kind = SM_SITE_STORE},
    {.number = 4, .variable = "done", .kind = SM_SITE_STORE},
    {.number = 5, .variable = "done", .kind = SM_SITE_LOAD},
    {.number = 6, .variable = "Point", .kind = SM_SITE_COPY},
    {.number = 7, .variable = "alias", .kind = SM_SITE_LOAD},
};
static const struct sm_sites sites = {.rows = rows, .n = sizeof rows / sizeof rows[0]};

static struct sm_race race(uint32_t first, uint32_t second)
{
    return (struct sm_race){.count = 1, .first.site = first, .second.site = second};
}

static struct sm_variables group(const struct sm_race *pairs, size_t n)
{
    struct sm_races races = {0};
    struct sm_variables variables = {0};
    sm_races_add(&races, pairs, n);
    sm_variables_find(&variables, &races, &sites);
    sm_races_free(&races);
    return variables;
}

static void races_of_one_name_are_one_variable(void **state)
{
    (void)state;
    struct sm_race pairs[] = {race(0, 1), race(4, 5), race(1, 0)};
    struct sm_variables variables = group(pairs, 3);
    assert_int_equal(variables.n, 2);
    assert_string_equal(variables.items[0].name, "Point.x");
    assert_int_equal(variables.items[0].count, 2);
    assert_string_equal(variables.items[1].name, "done");
    sm_variables_free(&variables);
}

static void a_variable_has_all_sites_of_its_name(void **state)
{
    (void)state;
    struct sm_race pairs[] = {race(0, 2)};
    struct sm_variables variables = group(pairs, 1);
    assert_int_equal(variables.n, 1);
    assert_string_equal(variables.items[0].name, "Point.x");
    assert_int_equal(variables.items[0].sites.n, 3); /* 1 was not seen racing */
    assert_int_equal(variables.items[0].n_accesses, 2);
    sm_variables_free(&variables);
}

static void a_proper_name_wins_over_a_star_or_a_copy(void **state)
{
    (void)state;
    struct sm_race pairs[] = {race(3, 1), race(6, 4)};
    struct sm_variables variables = group(pairs, 2);
    assert_int_equal(variables.n, 2);
    assert_string_equal(variables.items[0].name, "Point.x");
    assert_true(sm_watchlist_has(&variables.items[0].sites, 3));
    assert_string_equal(variables.items[1].name, "done");
    assert_true(sm_watchlist_has(&variables.items[1].sites, 6));
    sm_variables_free(&variables);
}

static void two_names_for_one_memory_are_one_variable(void **state)
{
    (void)state;
    struct sm_race pairs[] = {race(0, 1), race(4, 7), race(7, 0)};
    struct sm_variables variables = group(pairs, 3);
    assert_int_equal(variables.n, 1);
    assert_int_equal(variables.items[0].sites.n, 5);
    sm_variables_free(&variables);
}

static void without_a_proper_name_sites_decide(void **state)
{
    (void)state;
    struct sm_race pairs[] = {race(2, 3), race(3, SM_NO_SITE)};
    struct sm_variables variables = group(pairs, 2);
    assert_int_equal(variables.n, 1);
    assert_string_equal(variables.items[0].name, "*p");
    assert_int_equal(variables.items[0].sites.n, 2);
    sm_variables_free(&variables);
}

/* ---- plans ---- */

static void a_plan_mixes_everything(void **state)
{
    (void)state;
    struct sm_plan plan = {.options = {.model = SM_MODEL_HB,
                                       .schedule = SM_SCHEDULES,
                                       .heuristic = SM_HEURISTICS,
                                       .seed = 5},
                           .watch = SM_WATCH_LIST,
                           .wide_every = 2};
    unsigned seen[SM_HEURISTICS][SM_SCHEDULES][2] = {0};
    for (uint64_t i = 0; i < 70; i++) {
        struct sm_trial trial = sm_plan_trial(&plan, i);
        assert_int_equal(trial.options.seed, 5 + i);
        assert_int_equal(trial.watch, SM_WATCH_LIST);
        seen[trial.options.heuristic][trial.options.schedule][trial.options.narrow]++;
    }
    for (int heuristic = 0; heuristic < SM_HEURISTICS; heuristic++)
        for (int schedule = 0; schedule < SM_SCHEDULE_STEERED; schedule++)
            assert_true(seen[heuristic][schedule][0] && seen[heuristic][schedule][1]);
}

static void schedules_that_look_for_failures_take_turns(void **state)
{
    (void)state;
    struct sm_plan plan = {.options = {.model = SM_MODEL_SC, .schedule = SM_SCHEDULES},
                           .turns = true};
    static const enum sm_schedule_id turns[] = {SM_SCHEDULE_RANDOM, SM_SCHEDULE_PCT,
                                                SM_SCHEDULE_POS, SM_SCHEDULE_HESITANT};
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(sm_plan_trial(&plan, i).options.schedule, turns[i % 4]);
    assert_int_equal(sm_plan_turn(SM_MODEL_C11, 3), SM_SCHEDULE_PATIENT);
}

static void add_covered(struct sm_covered *covered, size_t n, uint32_t key, uint32_t lost)
{
    struct sm_result result = {
        .facts = {.covered_lost = lost}, .covered = sm_new(sizeof key), .n_covered = 1};
    result.covered[0] = key;
    sm_covered_add(covered, &result, n);
    assert_null(result.covered);
}

static void what_is_covered_twice_is_not_new(void **state)
{
    (void)state;
    struct sm_covered covered = {0};
    add_covered(&covered, 1, 5, 0);
    add_covered(&covered, 2, 7 | SM_COVERED_ORDER, 0);
    add_covered(&covered, 3, 5, 0);
    assert_int_equal(covered.last_new, 2);
    add_covered(&covered, 4, 5, 3); /* what found no room may be new */
    assert_int_equal(covered.last_new, 4);
    struct sm_coverage counted = sm_covered_count(&covered, SM_TRIALS_END_TIME);
    assert_int_equal(counted.pairs, 1);
    assert_int_equal(counted.orders, 1);
    assert_int_equal(counted.lost, 3);
    sm_covered_free(&covered);
}

static void a_plan_watches_what_legality_needs(void **state)
{
    (void)state;
    struct sm_plan plan = {.options = {.model = SM_MODEL_TSO}, .watch = SM_WATCH_LIST};
    assert_int_equal(sm_plan_trial(&plan, 0).watch, SM_WATCH_ALL);
    plan.options.model = SM_MODEL_C11;
    assert_int_equal(sm_plan_trial(&plan, 0).watch, SM_WATCH_LIST);
    plan.fenced = true;
    assert_int_equal(sm_plan_trial(&plan, 0).watch, SM_WATCH_ALL);
    plan.options.model = SM_MODEL_PSO;
    assert_int_equal(sm_plan_trial(&plan, 0).watch, SM_WATCH_LIST);
}

/* ---- baselines ---- */

static struct sm_result_facts ended(uint64_t output)
{
    return (struct sm_result_facts){.exited = 1, .output = output};
}

static void a_new_output_is_wrong_while_the_others_agree(void **state)
{
    (void)state;
    struct sm_baseline baseline = {0};
    struct sm_result_facts one = ended(1), two = ended(2), three = ended(3);
    sm_baseline_note(&baseline, &one);
    assert_int_equal(sm_baseline_judge(&baseline, &one), SM_FAILURE_NONE);
    assert_int_equal(sm_baseline_judge(&baseline, &two), SM_FAILURE_OUTPUT);
    sm_baseline_note(&baseline, &two);
    assert_int_equal(sm_baseline_judge(&baseline, &three), SM_FAILURE_NONE);
    sm_baseline_free(&baseline);
}

static void an_oracle_replaces_the_comparison(void **state)
{
    (void)state;
    struct sm_baseline baseline = {.has_oracle = true};
    struct sm_result_facts one = ended(1), two = ended(2);
    sm_baseline_note(&baseline, &one);
    assert_int_equal(sm_baseline_judge(&baseline, &two), SM_FAILURE_NONE);
    sm_baseline_free(&baseline);
}

static void failures_without_a_lie_are_nobodys(void **state)
{
    (void)state;
    struct sm_baseline baseline = {0};
    struct sm_result_facts order = {.kind = SM_FAILURE_DEADLOCK, .signature = 1};
    struct sm_result_facts other = {.kind = SM_FAILURE_ASSERT, .signature = 2};
    sm_hashes_add(&baseline.order_failures, 1);
    sm_hashes_add(&baseline.race_failures, 2);
    assert_int_equal(sm_baseline_blame(&baseline, true, &order), SM_FAILURE_NONE);
    assert_int_equal(sm_baseline_blame(&baseline, true, &other), SM_FAILURE_ASSERT);
    assert_int_equal(sm_baseline_blame(&baseline, false, &other), SM_FAILURE_NONE);
    sm_baseline_free(&baseline);
}

/* ---- verdicts ---- */

static struct sm_trial tried(enum sm_heuristic_id heuristic, struct sm_result_facts facts)
{
    return (struct sm_trial){
        .options = {.heuristic = heuristic, .narrow = 1}, .done = true, .result.facts = facts};
}

static enum sm_verdict_kind verdict_of(const struct sm_trial *trials, size_t n,
                                       const struct sm_evidence *findings, struct sm_tally *tally)
{
    struct sm_baseline baseline = {0};
    sm_tally_count(tally, &baseline, findings, trials, n);
    sm_baseline_free(&baseline);
    return sm_tally_verdict(tally, findings);
}

static void the_course_of_a_rate_ends_at_the_rate(void **state)
{
    (void)state;
    struct sm_evidence witnessed = {.witnessed = true, .signature = 7};
    struct sm_result_facts fails = {.kind = SM_FAILURE_ASSERT, .signature = 7};
    struct sm_result_facts passes = {.exited = 1};
    struct sm_trial trials[100];
    struct sm_tally tally;
    for (size_t i = 0; i < 100; i++)
        trials[i] = tried(SM_HEURISTIC_OLDEST, i % 4 == 3 ? fails : passes);
    verdict_of(trials, 100, &witnessed, &tally);
    assert_int_equal(tally.course[0].trials, 5);
    assert_int_equal(tally.course[0].failures, 1);
    assert_int_equal(tally.course[SM_TALLY_STEPS - 1].trials, tally.trials);
    assert_int_equal(tally.course[SM_TALLY_STEPS - 1].failures, 25);
    verdict_of(trials, 3, &witnessed, &tally); /* fewer than steps: some stay empty */
    assert_int_equal(tally.course[0].trials, 1);
    assert_int_equal(tally.course[1].trials, 0);
}

/* An execution in which a value that was foreseen is never stored is none. */
static void the_future_counts_where_it_came(void **state)
{
    (void)state;
    struct sm_evidence none = {0}, left_out = {.circular = true};
    struct sm_result_facts came = {.kind = SM_FAILURE_ASSERT, .signature = 7, .future = 2};
    struct sm_result_facts never = {.unvalidated = 1, .future = 3};
    struct sm_trial trials[] = {tried(SM_HEURISTIC_SC, came), tried(SM_HEURISTIC_SC, never)};
    struct sm_baseline baseline = {0};
    struct sm_tally tally = {0};
    sm_tally_add(&tally, &baseline, &none, trials, 2);
    assert_int_equal(tally.trials, 1);
    assert_int_equal(tally.failures, 1);
    assert_int_equal(tally.future_reads, 2);
    assert_int_equal(tally.unvalidated, 1);
    assert_int_equal(tally.by_heuristic[SM_HEURISTIC_SC].trials, 0);
    assert_int_equal(tally.by_future.trials, 1);
    assert_int_equal(tally.by_future.failures, 1);
    trials[0].result.facts.delayed = 1; /* a store buffer's lie, too */
    sm_tally_add(&tally, &baseline, &none, trials, 1);
    assert_int_equal(tally.by_future.trials, 1);
    trials[0].result.facts.future = 0; /* no lie about the future */
    sm_tally_add(&tally, &baseline, &none, trials, 1);
    assert_int_equal(tally.by_future.trials, 1);
    tally.failures = 1;
    sm_tally_add(&tally, &baseline, &left_out, trials, 1);
    assert_int_equal(tally.failures, 1);
}

static void verdicts_follow_from_trials(void **state)
{
    (void)state;
    struct sm_evidence none = {0}, witnessed = {.witnessed = true}, slow = {.slow = true};
    struct sm_result_facts honest = {.exited = 1, .events = 300};
    struct sm_result_facts stale = {.exited = 1, .events = 310, .stale = 2, .read_choices = 4};
    struct sm_result_facts longer = {.exited = 1, .events = 900, .stale = 9, .read_choices = 9};
    struct sm_trial trials[] = {tried(SM_HEURISTIC_SC, honest), tried(SM_HEURISTIC_OLDEST, stale),
                                tried(SM_HEURISTIC_RANDOM, longer)};
    struct sm_tally tally;
    assert_int_equal(verdict_of(trials, 1, &none, &tally), SM_VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(trials, 2, &none, &tally), SM_VERDICT_BENIGN);
    assert_int_equal(tally.stale_reads, 2);
    assert_int_equal(verdict_of(trials, 3, &none, &tally), SM_VERDICT_QOS);
    assert_int_equal(verdict_of(trials, 2, &slow, &tally), SM_VERDICT_QOS);
    assert_int_equal(verdict_of(trials, 3, &witnessed, &tally), SM_VERDICT_DESTRUCTIVE);
}

static void rates_are_kept_for_each_heuristic(void **state)
{
    (void)state;
    struct sm_evidence findings = {0};
    struct sm_result_facts failed = {.kind = SM_FAILURE_SIGNAL, .signature = 7};
    struct sm_result_facts hung = {.kind = SM_FAILURE_HANG, .signature = 8};
    struct sm_trial trials[] = {tried(SM_HEURISTIC_OLDEST, failed),
                                tried(SM_HEURISTIC_OLDEST, ended(1)),
                                tried(SM_HEURISTIC_RANDOM, hung)};
    struct sm_tally tally;
    verdict_of(trials, 3, &findings, &tally);
    assert_int_equal(tally.failures, 2);
    assert_int_equal(tally.by_heuristic[SM_HEURISTIC_OLDEST].trials, 2);
    assert_int_equal(tally.by_heuristic[SM_HEURISTIC_OLDEST].failures, 1);
    findings.slow = true; /* the hang was none */
    verdict_of(trials, 3, &findings, &tally);
    assert_int_equal(tally.failures, 1);
}

/* ---- the store ---- */

static void results_survive_in_the_store(void **state)
{
    (void)state;
    char directory[] = "/tmp/stalemate-store-XXXXXX";
    struct sm_error error;
    struct sm_store_key key = {{1, 2}}, other = {{1, 3}};
    struct sm_race pairs[2] = {race(0, 1), race(4, 5)};
    struct sm_result result = {.facts = {.events = 42, .stale = 3}, .races = pairs, .n_races = 2};
    struct sm_result found;
    assert_non_null(mkdtemp(directory));
    struct sm_store *store = sm_store_open(directory, &error);
    assert_non_null(store);
    sm_store_keep(store, key, &result);
    assert_true(sm_store_flush(store, &error));
    sm_store_close(store);

    store = sm_store_open(directory, &error);
    assert_false(sm_store_find(store, other, &found));
    assert_true(sm_store_find(store, key, &found));
    assert_int_equal(found.facts.events, 42);
    assert_int_equal(found.n_races, 2);
    assert_int_equal(found.races[1].first.site, 4);
    sm_result_free(&found);
    sm_store_close(store);

    char *file = sm_print("%s/stalemate.db", directory);
    unlink(file);
    rmdir(directory);
    free(file);
}

static void a_store_that_cannot_be_made_says_so(void **state)
{
    (void)state;
    struct sm_error error;
    assert_null(sm_store_open("/proc/none/at/all", &error));
    assert_int_equal(error.status, SM_STATUS_USAGE);
    assert_non_null(strstr(error.text, "--out DIR"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races_of_one_name_are_one_variable),
        cmocka_unit_test(a_variable_has_all_sites_of_its_name),
        cmocka_unit_test(a_proper_name_wins_over_a_star_or_a_copy),
        cmocka_unit_test(two_names_for_one_memory_are_one_variable),
        cmocka_unit_test(without_a_proper_name_sites_decide),
        cmocka_unit_test(a_plan_mixes_everything),
        cmocka_unit_test(schedules_that_look_for_failures_take_turns),
        cmocka_unit_test(what_is_covered_twice_is_not_new),
        cmocka_unit_test(a_plan_watches_what_legality_needs),
        cmocka_unit_test(a_new_output_is_wrong_while_the_others_agree),
        cmocka_unit_test(an_oracle_replaces_the_comparison),
        cmocka_unit_test(failures_without_a_lie_are_nobodys),
        cmocka_unit_test(the_course_of_a_rate_ends_at_the_rate),
        cmocka_unit_test(the_future_counts_where_it_came),
        cmocka_unit_test(verdicts_follow_from_trials),
        cmocka_unit_test(rates_are_kept_for_each_heuristic),
        cmocka_unit_test(results_survive_in_the_store),
        cmocka_unit_test(a_store_that_cannot_be_made_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
