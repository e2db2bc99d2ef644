/* Options: three sources, one parser, errors that help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../base/options.h"

static char directory[] = "/tmp/stalemate-options-XXXXXX";
static char *program, *conf;
static struct sm_settings settings;
static struct sm_error error;

static bool parse_as(enum sm_command_bit command, const char *line)
{
    struct sm_list words = {0};
    sm_settings_free(&settings);
    assert_true(sm_split_words(line, &words));
    bool ok = sm_settings_parse(&settings, command, command == SM_COMMAND_RUN, words.items, &error);
    sm_list_free(&words);
    return ok;
}

static bool parse(const char *line)
{
    char *with_program = sm_print("run %s -- %s x", line, program);
    bool ok = parse_as(SM_COMMAND_RUN, with_program);
    free(with_program);
    return ok;
}

static void assert_error(const char *line, const char *text)
{
    assert_false(parse(line));
    assert_int_equal(error.status, SM_STATUS_USAGE);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not hold '%s'", error.text, text);
}

static void write_conf(const char *text)
{
    FILE *file = fopen(conf, "w");
    fputs(text, file);
    fclose(file);
}

static void defaults(void **state)
{
    (void)state;
    assert_true(parse(""));
    assert_int_equal(settings.options.seed, 1);
    assert_int_equal(settings.options.history, 32);
    assert_int_equal(settings.expect_exit, SM_NO_EXPECTATION);
    assert_int_equal(settings.operands.n, 2);
    assert_string_equal(settings.operands.items[1], "x");
}

static void values(void **state)
{
    (void)state;
    assert_true(parse("--seed 9 --model=tso --timeout 0.5 --quiet --oracle 'grep -q \"a b\"' "
                      "--watch a --watch b"));
    assert_int_equal(settings.options.seed, 9);
    assert_int_equal(settings.options.model, SM_MODEL_TSO);
    assert_true(settings.timeout == 0.5);
    assert_int_equal(settings.quiet, 1);
    assert_string_equal(settings.oracle, "grep -q \"a b\"");
    assert_int_equal(settings.watch.n, 2);
}

static void operands_of_a_program_are_its_own(void **state)
{
    (void)state;
    assert_true(parse_as(SM_COMMAND_RUN, "run --seed 2 /none --seed 3 --help"));
    assert_int_equal(settings.options.seed, 2);
    assert_int_equal(settings.operands.n, 4);
    assert_false(settings.help);
}

static void operands_of_others_mix_with_options(void **state)
{
    (void)state;
    assert_true(parse_as(SM_COMMAND_REPLAY, "replay file --gdb"));
    assert_int_equal(settings.gdb, 1);
    assert_int_equal(settings.operands.n, 1);
}

static void errors_help(void **state)
{
    (void)state;
    assert_error("--sede 1", "run: unknown option --sede; did you mean --seed?");
    assert_error("--xyzzyplugh", "add --help");
    assert_error("-s 1", "options start with --");
    assert_error("--gdb", "unknown option --gdb");
    assert_error("--seed -1", "--seed wants a whole number from 0 to 9223372036854775807");
    assert_error("--seed 1x", "not '1x'");
    assert_error("--seed 18446744073709551616", "--seed wants");
    assert_error("--seed=", "--seed wants");
    assert_error("--history 0", "from 1 to");
    assert_error("--timeout nan", "--timeout wants a number of seconds");
    assert_error("--model x86", "not 'x86'");
    assert_error("--schedule replay", "random, pct, pos, rr, patient, steered or hesitant");
    assert_error("--quiet=maybe", "no or yes");
    assert_false(parse_as(SM_COMMAND_RUN, "run --seed"));
    assert_string_equal(error.text, "run: --seed needs a value: --seed N");
}

static void command_line_wins_over_environment_over_file(void **state)
{
    (void)state;
    write_conf("# ours\nseed = 3\n  history=5\nsteps = 7 \nwatch = a\nquiet = yes\ngdb = yes\n");
    assert_true(parse(""));
    assert_int_equal(settings.options.seed, 3);
    assert_int_equal(settings.options.history, 5);
    assert_int_equal(settings.quiet, 1);
    setenv(SM_OPTIONS_ENV, "--seed 4 --history 6 --gdb --watch b --watch c", 1);
    assert_true(parse(""));
    assert_int_equal(settings.options.seed, 4);
    assert_int_equal(settings.options.steps, 7);
    assert_int_equal(settings.watch.n, 2);
    assert_true(parse("--seed 5 --watch d --quiet=no"));
    assert_int_equal(settings.options.seed, 5);
    assert_int_equal(settings.options.history, 6);
    assert_int_equal(settings.quiet, 0);
    assert_int_equal(settings.watch.n, 1);
    assert_string_equal(settings.watch.items[0], "d");
}

static void errors_name_their_source(void **state)
{
    (void)state;
    write_conf("\nsead = 3\n");
    assert_error("", "stalemate.conf:2: unknown option sead; did you mean seed?");
    write_conf("seed\n");
    assert_error("", "stalemate.conf:1: expected `name = value`");
    write_conf("seed = many\n");
    assert_error("", "stalemate.conf:1: seed wants a whole number");
    unlink(conf);
    setenv(SM_OPTIONS_ENV, "--sead 1", 1);
    assert_error("", "STALEMATE_OPTIONS: unknown option --sead");
    setenv(SM_OPTIONS_ENV, "--oracle 'x", 1);
    assert_error("", "STALEMATE_OPTIONS: a quote is not closed");
    setenv(SM_OPTIONS_ENV, "seed", 1);
    assert_error("", "'seed' is no option");
}

static void repeat_gives_the_same_settings(void **state)
{
    (void)state;
    struct sm_buffer line = {0};
    assert_true(
        parse("--model tso --timeout 2.5 --unfair --oracle \"it's\" --json x --watch 'a b'"));
    sm_settings_repeat(&settings, &line);
    assert_string_equal(line.data, " --seed 1 --model tso --watch 'a b' --timeout 2.5 --unfair "
                                   "--oracle 'it'\\''s'");
    assert_true(parse(line.data));
    assert_string_equal(settings.oracle, "it's");
    sm_buffer_free(&line);
}

static int set_up_group(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    program = sm_print("%s/prog", directory);
    conf = sm_print("%s/" SM_OPTIONS_FILE, directory);
    FILE *file = fopen(program, "w");
    return file ? fclose(file) || chmod(program, 0755) : -1;
}

static int tear_down_group(void **state)
{
    (void)state;
    sm_settings_free(&settings);
    unlink(program);
    free(program);
    free(conf);
    return rmdir(directory);
}

static int tear_down(void **state)
{
    (void)state;
    unlink(conf);
    return unsetenv(SM_OPTIONS_ENV);
}

int main(void)
{
    unsetenv(SM_OPTIONS_ENV);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(defaults, tear_down),
        cmocka_unit_test_teardown(values, tear_down),
        cmocka_unit_test_teardown(operands_of_a_program_are_its_own, tear_down),
        cmocka_unit_test_teardown(operands_of_others_mix_with_options, tear_down),
        cmocka_unit_test_teardown(errors_help, tear_down),
        cmocka_unit_test_teardown(command_line_wins_over_environment_over_file, tear_down),
        cmocka_unit_test_teardown(errors_name_their_source, tear_down),
        cmocka_unit_test_teardown(repeat_gives_the_same_settings, tear_down),
    };
    return cmocka_run_group_tests(tests, set_up_group, tear_down_group);
}
