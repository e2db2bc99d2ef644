/* `stalemate check`: exit statuses, words and JSON, on witnesses written for the purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "../../commands/commands.h"
#include "../../witness/witness.h"

/* In the command this is commands/main.c's. */
void sm_command_help(const char *name, enum sm_command_bit command)
{
    (void)command;
    printf("usage: stalemate %s\n", name);
}

static char directory[] = "/tmp/test_checker.XXXXXX";
static char witness_file[64], output_file[64];
static char output[8192];

/* A store of x, and a read of x that does not see it. */
static void write_witness(uint64_t model, uint64_t lost)
{
    static struct sm_record records[] = {
        {.kind = SM_EV_STORE,
         .size = 4,
         .order = SM_ORDER_PLAIN,
         .flags = SM_RECORD_LIED,
         .site = SM_NO_SITE,
         .addr = 0x1000,
         .value = 1,
         .rf = SM_RF_NONE},
        {.kind = SM_EV_SPAWN, .site = SM_NO_SITE, .old = 1},
        {.kind = SM_EV_BEGIN, .site = SM_NO_SITE, .thread = 1},
        {.kind = SM_EV_STORE,
         .size = 4,
         .order = SM_ORDER_PLAIN,
         .flags = SM_RECORD_LIED,
         .site = SM_NO_SITE,
         .addr = 0x1000,
         .value = 2,
         .rf = SM_RF_NONE},
        {.kind = SM_EV_LOAD,
         .size = 4,
         .order = SM_ORDER_PLAIN,
         .flags = SM_RECORD_LIED,
         .site = SM_NO_SITE,
         .thread = 1,
         .addr = 0x1000,
         .value = 1,
         .rf = 0},
    };
    char empty[] = "", program[] = "/bin/true", *arguments[] = {program}, why[SM_WHY_SIZE];
    struct sm_witness witness = {.version = empty,
                                 .program = program,
                                 .build_id = empty,
                                 .directory = empty,
                                 .failure_kind = empty,
                                 .failure_detail = empty,
                                 .arguments = {.items = arguments, .n = 1},
                                 .events = 5,
                                 .records_lost = lost,
                                 .records = records,
                                 .n_records = sizeof records / sizeof records[0]};
    witness.options.model = model;
    witness.options.volatile_as = SM_VOLATILE_RELAXED;
    witness.seal = sm_witness_seal(&witness);
    if (!sm_witness_write(witness_file, &witness, why))
        fail_msg("%s", why);
}

/* Runs the command with both streams in a file; returns its status, leaves its words in output. */
static int check(const char *first, const char *second, const char *third)
{
    char *argv[] = {"check", (char *)first, (char *)second, (char *)third, NULL};
    int argc = first ? second ? third ? 4 : 3 : 2 : 1;
    (void)fflush(NULL);
    int out = dup(1), err = dup(2);
    assert_non_null(freopen(output_file, "w", stdout));
    dup2(1, 2);
    int status = sm_check_main(argc, argv);
    (void)fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    FILE *file = fopen(output_file, "r");
    output[fread(output, 1, sizeof output - 1, file)] = 0;
    (void)fclose(file);
    return status;
}

static void assert_says(const char *text)
{
    if (!strstr(output, text))
        fail_msg("no '%s' in: %s", text, output);
}

static void verdicts_and_statuses(void **state)
{
    (void)state;
    write_witness(SM_MODEL_HB, 0);
    assert_int_equal(check(witness_file, NULL, NULL), 0);
    assert_says("legal in hb, 5 events");
    write_witness(SM_MODEL_SC, 0);
    assert_int_equal(check(witness_file, NULL, NULL), 1);
    assert_says("illegal in sc: newest-store");
    assert_int_equal(check("--quiet", witness_file, NULL), 1);
    assert_string_equal(output, "");
}

static void json_has_the_keys_of_the_contract(void **state)
{
    (void)state;
    write_witness(SM_MODEL_SC, 0);
    assert_int_equal(check("--json", "-", witness_file), 1);
    json_t *json = json_loads(output, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "tool")), "stalemate");
    assert_string_equal(json_string_value(json_object_get(json, "command")), "check");
    assert_true(json_is_false(json_object_get(json, "legal")));
    assert_string_equal(json_string_value(json_object_get(json, "model")), "sc");
    assert_int_equal(json_integer_value(json_object_get(json, "events")), 5);
    assert_non_null(strstr(json_string_value(json_object_get(json, "why")), "event 4"));
    json_decref(json);
}

static void what_cannot_be_judged_is_status_2(void **state)
{
    (void)state;
    assert_int_equal(check(NULL, NULL, NULL), 2);
    assert_says("type: stalemate check");
    assert_int_equal(check("/no/such/file", NULL, NULL), 2);
    assert_says("cannot read the witness /no/such/file");
    assert_int_equal(check("--jsno", "-", witness_file), 2);
    assert_says("--json");
    write_witness(SM_MODEL_SC, 3);
    assert_int_equal(check(witness_file, NULL, NULL), 2);
    assert_says("lacks 3 events");
    write_witness(SM_MODEL_HB, 0);
    assert_int_equal(truncate(witness_file, 60), 0);
    assert_int_equal(check(witness_file, NULL, NULL), 2);
    write_witness(SM_MODEL_HB, 0);
    assert_int_equal(check("--json", "/no/such/dir/x", witness_file), 2);
    assert_says("cannot write /no/such/dir/x");
}

static int set_up(void **state)
{
    (void)state;
    unsetenv(SM_OPTIONS_ENV);
    if (!mkdtemp(directory))
        return -1;
    (void)snprintf(witness_file, sizeof witness_file, "%s/witness", directory);
    (void)snprintf(output_file, sizeof output_file, "%s/output", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(witness_file);
    unlink(output_file);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_and_statuses),
        cmocka_unit_test(json_has_the_keys_of_the_contract),
        cmocka_unit_test(what_cannot_be_judged_is_status_2),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
