/* The driver's side of an execution, against fake_target.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../abi/library_name.h"
#include "../../target/input.h"
#include "../../target/outcome.h"
#include "../../target/symbols.h"
#include "../../target/target.h"

struct fixture {
    struct sm_target target;
    struct sm_ended ended;
    struct sm_outcome outcome;
    struct sm_error error;
    struct sm_options options;
};

static void open_fake(struct fixture *f, const char *what, const char *status, bool serve)
{
    char *arguments[] = {(char *)FAKE_TARGET, (char *)what, (char *)status, NULL};
    struct sm_buffer input = {(char *)"hello\n", 6, 0};
    *f = (struct fixture){.options.seed = 7};
    int fd = sm_input_from(&input, &f->error);
    assert_true(fd >= 0);
    if (!sm_target_open(&f->target, FAKE_TARGET, arguments, fd, -1, -1, &f->error))
        fail_msg("%s", f->error.text);
    f->target.serve = serve;
}

static bool run(struct fixture *f, int expect_exit)
{
    struct sm_expectation expectation = {.exit_status = expect_exit};
    sm_outcome_free(&f->outcome);
    return sm_target_run(&f->target, &f->options, &f->ended, &f->error) &&
           sm_outcome_judge(&f->outcome, &f->target, &f->ended, &expectation, &f->error);
}

static void close_fake(struct fixture *f)
{
    sm_outcome_free(&f->outcome);
    sm_target_close(&f->target);
}

static void exits(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "exit", "3", serve);
        assert_true(run(&f, 3));
        assert_int_equal(f.outcome.failure.kind, SM_FAILURE_NONE);
        assert_int_equal(f.outcome.trace_hash, 7000);
        f.options.seed = 8;
        assert_true(run(&f, 0));
        assert_int_equal(f.outcome.failure.kind, SM_FAILURE_EXIT);
        assert_int_equal(f.outcome.exit_status, 3);
        assert_int_equal(f.outcome.trace_hash, 8000);
        close_fake(&f);
    }
}

static void crashes(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "crash", NULL, serve);
        assert_true(run(&f, 0));
        assert_int_equal(f.outcome.failure.kind, SM_FAILURE_SIGNAL);
        assert_non_null(strstr(f.outcome.failure.detail, "SIGSEGV"));
        close_fake(&f);
    }
}

/* A server that had to be killed with its child is started again. */
static void times_out(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "sleep", NULL, serve);
        f.target.limits.seconds = 0.1;
        for (int i = 0; i < 2; i++) {
            assert_true(run(&f, 0));
            assert_int_equal(f.ended.stop, SM_STOP_TIMEOUT);
            assert_int_equal(f.outcome.failure.kind, SM_FAILURE_HANG);
        }
        close_fake(&f);
    }
}

static void eats_memory(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "eat", NULL, serve);
        f.target.limits.memory = 64 << 20;
        assert_false(run(&f, 0));
        assert_int_equal(f.error.status, SM_STATUS_TARGET);
        assert_non_null(strstr(f.error.text, "more than 64 MiB"));
        close_fake(&f);
    }
}

static void reports_what_the_runtime_says(void **state)
{
    (void)state;
    struct fixture f;
    open_fake(&f, "deadlock", NULL, false);
    assert_true(run(&f, 0));
    assert_int_equal(f.outcome.failure.kind, SM_FAILURE_DEADLOCK);
    assert_string_equal(f.outcome.failure.detail, "thread 1 waits for thread 2");
    assert_false(f.outcome.exited);
    close_fake(&f);

    open_fake(&f, "error", NULL, false);
    assert_false(run(&f, 0));
    assert_int_equal(f.error.status, SM_STATUS_INTERNAL);
    assert_non_null(strstr(f.error.text, "the sky fell"));
    close_fake(&f);
}

static void ends_before_control(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "unattached", NULL, serve);
        assert_false(run(&f, 0));
        assert_int_equal(f.error.status, SM_STATUS_TARGET);
        close_fake(&f);
    }
}

static void of_another_version(void **state)
{
    (void)state;
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "other", NULL, serve);
        assert_false(run(&f, 0));
        assert_int_equal(f.error.status, SM_STATUS_TARGET);
        assert_non_null(strstr(f.error.text, "another version of Stalemate; build it again"));
        close_fake(&f);
    }
}

static void surroundings_are_the_same(void **state)
{
    (void)state;
    setenv("SHLVL", "3", 1);
    int extra = dup(1); /* a descriptor the program must not see */
    for (int serve = 0; serve < 2; serve++) {
        struct fixture f;
        open_fake(&f, "surroundings", NULL, serve);
        for (int i = 0; i < 2; i++) {
            struct sm_buffer output = {0};
            assert_true(run(&f, 0));
            sm_capture_read(&f.target.output, &output);
            assert_string_equal(output.data, "fd 3\nnoise no\ninput hello\n\n");
            sm_buffer_free(&output);
        }
        close_fake(&f);
    }
    close(extra);
}

/* Zombies of the group are init's; only a live orphan is a fault. */
static void orphans_are_killed(void **state)
{
    (void)state;
    struct fixture f;
    open_fake(&f, "orphan", NULL, false);
    assert_true(run(&f, 0));
    assert_int_equal(f.outcome.failure.kind, SM_FAILURE_NONE);
    close_fake(&f);
}

/* In place: no word may be longer than what it replaces. */
static void lambdas_have_a_name(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"main::$_0::operator()() const", "main::lambda"},
        {"start(int)::$_12::operator()(int) const", "start(int)::lambda"},
        {"call<main::$_0>::operator()(int)", "call<main::$_0>::operator()"},
        {"reload(int)", "reload"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = sm_copy_text(names[i][0]);
        assert_string_equal(sm_function_name(name), names[i][1]);
        free(name);
    }
}

static void is_written(const char *spelled, const char *written)
{
    char name[256];
    assert_true(strlen(spelled) < sizeof name);
    strcpy(name, spelled);
    sm_library_name(name);
    assert_string_equal(name, written);
}

static void names_are_as_written(void **state)
{
    (void)state;
    is_written(
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::size()",
        "std::string::size()");
    is_written("(anonymous namespace)::Pool::take((anonymous namespace)::Node*)",
               "Pool::take(Node*)");
    is_written(
        "std::_Rb_tree<int, std::pair<int const, long>, std::_Select1st<std::pair<int const, "
        "long> >, std::less<int>, std::allocator<std::pair<int const, long> > >._M_impl",
        "std::map");
    is_written("std::_Rb_tree<int, int, std::_Identity<int>, std::less<int> >::begin()",
               "std::set::begin()");
    is_written("std::_Rb_tree<int", "std::_Rb_tree<int");
    is_written("operator<(Pool, Pool)", "operator<(Pool, Pool)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits),
        cmocka_unit_test(crashes),
        cmocka_unit_test(times_out),
        cmocka_unit_test(eats_memory),
        cmocka_unit_test(reports_what_the_runtime_says),
        cmocka_unit_test(ends_before_control),
        cmocka_unit_test(of_another_version),
        cmocka_unit_test(surroundings_are_the_same),
        cmocka_unit_test(orphans_are_killed),
        cmocka_unit_test(lambdas_have_a_name),
        cmocka_unit_test(names_are_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
