/* Parcels: each counts once, whoever dies in between; the end is seen by whoever looks last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../campaign/parcels.h"

/* With no lease at all every other worker is dead. */
#define NEVER 1e6
#define AT_ONCE 0.0

static char base[] = "/tmp/stalemate-parcels-XXXXXX";
static char *directory;
static struct sm_error error;

static struct sm_parcels *open_with(double lease, const char *lines)
{
    struct sm_parcels_plan plan = {0};
    sm_buffer_text(&plan.lines, lines);
    sm_buffer_text(&plan.input, "input");
    sm_list_add(&plan.environment, "A=1");
    error = (struct sm_error){0};
    struct sm_parcels *parcels = sm_parcels_open(directory, &plan, lease, &error);
    sm_parcels_plan_free(&plan);
    return parcels;
}

static struct sm_parcels *join(double lease)
{
    struct sm_parcels *parcels = open_with(lease, "build 1\nmodel c11\n");
    assert_non_null(parcels);
    return parcels;
}

static int begin(void **state)
{
    static unsigned n;
    (void)state;
    directory = sm_print("%s/%u", base, ++n);
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(directory);
    return 0;
}

/* The claimed parcel is what `text` says. */
static void claims(struct sm_parcels *parcels, const char *text)
{
    struct sm_buffer bytes = {0};
    assert_int_equal(sm_parcels_claim(parcels, &bytes, &error), SM_CLAIM_PARCEL);
    assert_int_equal(bytes.size, strlen(text));
    if (bytes.size)
        assert_memory_equal(bytes.data, text, bytes.size);
    sm_buffer_free(&bytes);
}

static enum sm_claim look(struct sm_parcels *parcels)
{
    struct sm_buffer bytes = {0};
    enum sm_claim claim = sm_parcels_claim(parcels, &bytes, &error);
    sm_buffer_free(&bytes);
    return claim;
}

/* So many executions, all with one outcome, and one race; parcels left over by their text. */
static bool commits(struct sm_parcels *parcels, uint64_t executions, const char *const *rest)
{
    struct sm_part_outcome outcome = {.text = (char *)"x\n", .size = 2, .count = executions};
    struct sm_race race = {.count = 1, .first.site = 3, .second.site = 4};
    struct sm_part part = {.executions = executions,
                           .blocked = 1,
                           .races = &race,
                           .n_races = 1,
                           .outcomes = &outcome,
                           .n_outcomes = 1};
    struct sm_left_over left[8] = {0};
    size_t n = 0;
    for (; rest && rest[n]; n++)
        left[n] = (struct sm_left_over){
            .bytes = rest[n], .size = strlen(rest[n]), .left = 10.0 * (double)(n + 1)};
    return sm_parcels_commit(parcels, &part, left, n, &error);
}

static uint64_t sum(struct sm_parcels *parcels)
{
    uint64_t executions;
    double left;
    const struct sm_part *all = sm_parcels_sum(parcels, &executions, &left, &error);
    assert_non_null(all);
    if (all->executions) {
        assert_int_equal(all->n_outcomes, 1);
        assert_int_equal(all->outcomes[0].count, all->executions);
        assert_int_equal(all->n_races, 1);
        assert_int_equal(all->races[0].count, all->blocked);
    }
    return all->executions;
}

#define REST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void one_worker(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, REST("kept", "given", "large")));
    assert_false(sm_parcels_are_done(a));
    assert_true(commits(a, 2, NULL));
    claims(a, "large"); /* the largest first */
    assert_true(commits(a, 4, NULL));
    claims(a, "given");
    assert_int_equal(look(a), SM_CLAIM_NOTHING);
    assert_true(commits(a, 1, NULL));
    assert_int_equal(look(a), SM_CLAIM_END);
    assert_int_equal(sum(a), 12);
    sm_parcels_close(a);
    a = join(NEVER); /* it is all there */
    assert_int_equal(look(a), SM_CLAIM_END);
    assert_int_equal(sum(a), 12);
    sm_parcels_close(a);
}

static void two_workers(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    claims(a, "");
    assert_int_equal(look(b), SM_CLAIM_NOTHING);
    sm_parcels_beat(a, 0, 100);
    sm_parcels_ask(b);
    assert_true(sm_parcels_is_asked(a));
    assert_false(sm_parcels_is_asked(b));
    assert_true(commits(a, 5, REST("mine", "yours")));
    assert_false(sm_parcels_is_asked(a));
    claims(b, "yours");
    assert_true(commits(a, 1, NULL));
    assert_int_equal(look(a), SM_CLAIM_NOTHING);
    assert_true(commits(b, 1, NULL));
    assert_int_equal(look(a), SM_CLAIM_END);
    assert_int_equal(look(b), SM_CLAIM_END);
    assert_int_equal(sum(a), 7);
    assert_int_equal(sum(b), 7);
    sm_parcels_close(a);
    sm_parcels_close(b);
}

/* A worker that is taken for dead and finishes counts nothing, nor do the parcels it left over. */
static void late_worker(void **state)
{
    (void)state;
    struct sm_parcels *slow = join(NEVER), *quick = join(AT_ONCE);
    claims(slow, "");
    while (look(quick) != SM_CLAIM_PARCEL)
        continue;
    assert_true(commits(quick, 3, REST("a")));
    assert_false(commits(slow, 3, REST("b", "c")));
    assert_int_equal(error.status, 0);
    assert_true(commits(quick, 4, NULL));
    assert_int_equal(look(quick), SM_CLAIM_END);
    assert_int_equal(look(slow), SM_CLAIM_END);
    assert_int_equal(sum(quick), 7);
    assert_int_equal(sum(slow), 7);
    sm_parcels_close(slow);
    sm_parcels_close(quick);
}

/* The same, but it is the first to finish: then the other one counts nothing. */
static void late_worker_first(void **state)
{
    (void)state;
    struct sm_parcels *slow = join(NEVER), *quick = join(AT_ONCE);
    claims(slow, "");
    while (look(quick) != SM_CLAIM_PARCEL)
        continue;
    assert_false(sm_parcels_beat(slow, 0, 0)); /* it is told */
    assert_true(commits(slow, 3, NULL));
    assert_false(commits(quick, 2, REST("a")));
    assert_int_equal(look(quick), SM_CLAIM_END);
    assert_int_equal(sum(quick), 3);
    sm_parcels_close(slow);
    sm_parcels_close(quick);
}

/* Twin of the two above: while a worker is alive nobody takes its parcel. */
static void living_worker(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    claims(a, "");
    for (int i = 0; i < 10; i++)
        assert_int_equal(look(b), SM_CLAIM_NOTHING);
    assert_true(sm_parcels_beat(a, 0, 0));
    sm_parcels_close(b);
    assert_true(commits(a, 1, NULL));
    sm_parcels_close(a);
}

static void leaves(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, REST("rest")));
    sm_parcels_close(a); /* gives it back */
    claims(b, "rest");
    assert_true(commits(b, 2, NULL));
    assert_int_equal(look(b), SM_CLAIM_END);
    assert_int_equal(sum(b), 7);
    sm_parcels_close(b);
}

static void remove_entries(const char *folder)
{
    char *path = sm_print("%s/round-1/%s", directory, folder);
    DIR *open = opendir(path);
    struct dirent *item;
    while ((item = readdir(open))) {
        char *entry = sm_print("%s/%s", path, item->d_name);
        if (*item->d_name != '.')
            assert_int_equal(unlink(entry), 0);
        free(entry);
    }
    closedir(open);
    free(path);
}

/* A worker dies after its result is there, and before its parcels have entries. */
static void lost_entries(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, REST("one", "two")));
    remove_entries("todo");
    remove_entries("busy");
    struct sm_buffer bytes = {0};
    enum sm_claim claim;
    uint64_t n = 0;
    while ((claim = sm_parcels_claim(b, &bytes, &error)) != SM_CLAIM_END) {
        assert_int_not_equal(claim, SM_CLAIM_ERROR);
        if (claim == SM_CLAIM_PARCEL)
            assert_true(commits(b, ++n, NULL));
    }
    sm_buffer_free(&bytes);
    assert_int_equal(n, 2);
    assert_int_equal(sum(b), 8);
    sm_parcels_close(a);
    sm_parcels_close(b);
}

static void begins_again(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, REST("one", "two")));
    claims(b, "two");
    assert_true(sm_parcels_begin_again(b, "known", 5, &error));
    assert_false(sm_parcels_beat(a, 0, 0));
    commits(a, 9, NULL); /* into the round that is over */
    claims(a, "known");
    assert_true(sm_parcels_begin_again(a, "more", 4, &error));
    claims(b, "more");
    assert_true(commits(b, 2, NULL));
    assert_int_equal(look(a), SM_CLAIM_END);
    assert_int_equal(sum(a), 2);
    assert_int_equal(sum(b), 2);
    sm_parcels_close(a);
    sm_parcels_close(b);
}

static void other_plan(void **state)
{
    (void)state;
    struct sm_parcels_plan plan;
    assert_false(sm_parcels_read_plan(directory, &plan, &error));
    assert_int_equal(error.status, 0);
    sm_parcels_close(join(NEVER));
    assert_null(open_with(NEVER, "build 1\nmodel sc\n"));
    assert_non_null(strstr(error.text, "there 'model c11', here 'model sc'"));
    error = (struct sm_error){0};
    assert_true(sm_parcels_read_plan(directory, &plan, &error));
    assert_string_equal(plan.input.data, "input");
    assert_string_equal(plan.environment.items[0], "A=1");
    sm_parcels_plan_free(&plan);
    free(directory);
    directory = sm_print("%s/stranger", base);
    assert_int_equal(mkdir(directory, 0777), 0);
    assert_null(open_with(NEVER, "build 1\n"));
    assert_non_null(strstr(error.text, "is no directory of parcels"));
}

static void damaged(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, NULL));
    sm_parcels_close(a);
    char *path = sm_print("%s/round-1/done/root", directory);
    for (int size = 0; size < 200; size += 50) {
        assert_int_equal(truncate(path, 200 - size), 0);
        a = join(NEVER);
        assert_int_equal(look(a), SM_CLAIM_ERROR);
        assert_non_null(strstr(error.text, "done/root is damaged"));
        error = (struct sm_error){0};
        sm_parcels_close(a);
    }
    free(path);
}

/* Parcels that are done take no room. */
static void cut(void **state)
{
    (void)state;
    struct stat before, after;
    char *text = sm_new(100001), *path = sm_print("%s/round-1/done/root", directory);
    memset(text, 'x', 100000);
    struct sm_parcels *a = join(NEVER);
    claims(a, "");
    assert_true(commits(a, 5, REST(text, "two")));
    assert_true(commits(a, 5, NULL));
    assert_int_equal(stat(path, &before), 0);
    claims(a, "two");
    assert_true(commits(a, 5, NULL));
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_size > 100000);
    assert_true(after.st_size < 100000);
    assert_int_equal(look(a), SM_CLAIM_END);
    assert_int_equal(sum(a), 15);
    sm_parcels_close(a);
    free(path);
    free(text);
}

static void violations(void **state)
{
    (void)state;
    struct sm_parcels *a = join(NEVER), *b = join(NEVER);
    struct sm_list texts = {0};
    struct sm_buffer text = {.data = (char *)"{}", .size = 2};
    struct sm_parcels *each[] = {a, b};
    for (unsigned i = 0; i < 2; i++) {
        char *witness = sm_parcels_violation(each[i], 1, "witness");
        close(creat(witness, 0666));
        assert_true(sm_parcels_keep_violation(each[i], 7, &text, witness, &error));
        assert_int_equal(access(witness, F_OK) == 0, i == 0);
        free(witness);
    }
    assert_true(sm_parcels_violations(a, &texts));
    assert_int_equal(texts.n, 1);
    sm_list_free(&texts);
    sm_parcels_close(a);
    sm_parcels_close(b);
}

static int make_base(void **state)
{
    (void)state;
    return mkdtemp(base) ? 0 : -1;
}

static int remove_base(void **state)
{
    (void)state;
    char *command = sm_print("rm -rf '%s'", base);
    int status = system(command);
    free(command);
    return status;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(one_worker),    TEST(two_workers), TEST(late_worker),  TEST(late_worker_first),
        TEST(living_worker), TEST(leaves),      TEST(lost_entries), TEST(begins_again),
        TEST(other_plan),    TEST(damaged),     TEST(cut),          TEST(violations),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
