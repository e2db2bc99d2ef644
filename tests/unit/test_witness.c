/* The witness file: what is written is read; what was touched is not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../witness/witness.h"

static char directory[] = "/tmp/stalemate-witness-XXXXXX";
static char *path;

/* ---- an example ---- */

static struct sm_sites example_sites(void)
{
    struct sm_sites sites = {.n = 3};
    sites.rows = sm_new(3 * sizeof *sites.rows);
    sites.rows[0] = (struct sm_site_row){.number = 2,
                                         .file = "a.c",
                                         .function = "push",
                                         .variable = "head",
                                         .object = "",
                                         .line = 10,
                                         .column = 3,
                                         .kind = SM_SITE_LOAD,
                                         .size = 8};
    sites.rows[1] = (struct sm_site_row){.number = 5,
                                         .file = "a.c",
                                         .function = "pop",
                                         .variable = "Node.next",
                                         .object = "Node",
                                         .line = 20,
                                         .kind = SM_SITE_STORE,
                                         .size = 8,
                                         .offset = 16};
    sites.rows[2] = (struct sm_site_row){
        .number = 9, .file = "b.c", .function = "unused", .variable = "x", .object = "", .line = 1};
    return sites;
}

static struct sm_witness example(void)
{
    struct sm_witness witness = {0};
    witness.version = sm_copy_text("0.1.0");
    witness.program = sm_copy_text("/home/me/a prog\nwith\\odd name");
    witness.build_id = sm_copy_text("0123abcd");
    witness.directory = sm_copy_text("/home/me");
    witness.failure_kind = sm_copy_text("deadlock");
    witness.failure_detail = sm_copy_text("two\nlines");
    witness.repairs = sm_copy_text("lock m a.c:4-9\nmerge a.c:12 n seq_cst");
    witness.watch_mode = SM_WATCH_LIST;
    witness.end = SM_END_DEADLOCK;
    witness.events = 3;
    witness.trace_hash = 0xfedcba9876543210;
    witness.options = (struct sm_options){.seed = 42, .model = SM_MODEL_TSO, .steps = 100};
    witness.place = (struct sm_place){sm_copy_text("a.c"), sm_copy_text("push"), 10, 3, NULL};
    sm_stack_add(&witness.stack, (struct sm_place){sm_copy_text("a.c"), NULL, 11, 0, NULL});
    witness.objects = sm_new(sizeof *witness.objects);
    witness.n_objects = 1;
    witness.objects[0] =
        (struct sm_mapped_file){sm_copy_text("/lib/x.so"), sm_copy_text("beef"), 1, 2, 3};
    sm_list_add(&witness.arguments, "./prog");
    sm_list_add(&witness.arguments, "");
    sm_list_add(&witness.environment, "LANG=\xe9");
    sm_buffer_add(&witness.input, "in\0put", 6);
    witness.watched = sm_copy_bytes((uint32_t[]){2, 5}, 8);
    witness.n_watched = 2;
    witness.choices =
        sm_copy_bytes(&(struct sm_choice){.index = 1, .n = 3, .pick = 2}, sizeof(struct sm_choice));
    witness.n_choices = 1;
    struct sm_record records[3] = {{.site = 2, .value = 7}, {.site = 5}, {.site = SM_NO_SITE}};
    witness.records = sm_copy_bytes(records, sizeof records);
    witness.n_records = 3;
    witness.sites = example_sites();
    witness.seal = sm_witness_seal(&witness);
    return witness;
}

static void write_example(void)
{
    char why[SM_WHY_SIZE];
    struct sm_witness witness = example();
    if (!sm_witness_write(path, &witness, why))
        fail_msg("%s", why);
    sm_witness_free(&witness);
}

static size_t read_file(char *bytes, size_t room)
{
    FILE *file = fopen(path, "r");
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* ---- tests ---- */

static void round_trip(void **state)
{
    (void)state;
    char why[SM_WHY_SIZE];
    struct sm_witness before = example(), after;
    write_example();
    if (!sm_witness_read(path, &after, why))
        fail_msg("%s", why);
#define SM_WITNESS_TEXT(name) assert_string_equal(before.name, after.name);
#define SM_WITNESS_NUMBER(name) assert_int_equal(before.name, after.name);
#include "../../witness/witness.def"
    assert_memory_equal(&before.options, &after.options, sizeof before.options);
    assert_string_equal(after.place.function, "push");
    assert_int_equal(after.stack.n, 1);
    assert_int_equal(after.stack.frames[0].line, 11);
    assert_null(after.stack.frames[0].function);
    assert_string_equal(after.objects[0].path, "/lib/x.so");
    assert_string_equal(after.objects[0].build_id, "beef");
    assert_int_equal(after.objects[0].end, 3);
    assert_int_equal(after.arguments.n, 2);
    assert_string_equal(after.arguments.items[1], "");
    assert_string_equal(after.environment.items[0], "LANG=\xe9");
    assert_int_equal(after.input.size, 6);
    assert_memory_equal(after.input.data, "in\0put", 6);
    assert_int_equal(after.n_watched, 2);
    assert_memory_equal(after.choices, before.choices, sizeof *before.choices);
    assert_int_equal(after.n_records, 3);
    assert_memory_equal(after.records, before.records, 3 * sizeof *before.records);
    sm_witness_free(&before);
    sm_witness_free(&after);
}

static void only_used_sites_are_kept(void **state)
{
    (void)state;
    char why[SM_WHY_SIZE];
    struct sm_witness witness;
    write_example();
    assert_true(sm_witness_read(path, &witness, why));
    assert_int_equal(witness.sites.n, 2);
    assert_string_equal(sm_sites_find(&witness.sites, 5)->variable, "Node.next");
    assert_int_equal(sm_sites_find(&witness.sites, 5)->offset, 16);
    assert_null(sm_sites_find(&witness.sites, 9));
    sm_witness_free(&witness);
}

static void every_truncation_is_seen(void **state)
{
    (void)state;
    char bytes[4096], why[SM_WHY_SIZE];
    struct sm_witness witness;
    write_example();
    size_t size = read_file(bytes, sizeof bytes);
    assert_in_range(size, 100, sizeof bytes - 1);
    for (size_t cut = 0; cut < size; cut++) {
        write_file(bytes, cut);
        assert_false(sm_witness_read(path, &witness, why));
        assert_true(cut < 8 ? strstr(why, "not a witness") : strstr(why, "truncated"));
    }
}

static void every_flipped_bit_is_seen(void **state)
{
    (void)state;
    char bytes[4096], why[SM_WHY_SIZE];
    struct sm_witness witness;
    write_example();
    size_t size = read_file(bytes, sizeof bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (char)(1 << i % 8);
        write_file(bytes, size);
        if (sm_witness_read(path, &witness, why))
            fail_msg("byte %zu", i);
        bytes[i] ^= (char)(1 << i % 8);
    }
}

static void bytes_behind_the_end_are_seen(void **state)
{
    (void)state;
    char bytes[4096], why[SM_WHY_SIZE];
    struct sm_witness witness;
    write_example();
    size_t size = read_file(bytes, sizeof bytes - 1);
    write_file(bytes, size + 1);
    assert_false(sm_witness_read(path, &witness, why));
}

/* A limit on file sizes fails a write half-way, as a full disk does. */
static void full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    char why[SM_WHY_SIZE];
    struct sm_witness witness = example();
    struct rlimit old, small = {.rlim_cur = 100};
    write_example();
    getrlimit(RLIMIT_FSIZE, &old);
    small.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = sm_witness_write(path, &witness, why);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(ok);
    assert_non_null(strstr(why, "File too large"));
    sm_witness_free(&witness);
    assert_true(sm_witness_read(path, &witness, why));
    sm_witness_free(&witness);
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* no temporary file is left */
    assert_int_equal(mkdir(directory, 0700), 0);
}

static void devices_are_not_replaced(void **state)
{
    (void)state;
    char why[SM_WHY_SIZE];
    struct sm_witness witness = example();
    assert_false(sm_witness_write("/dev/null", &witness, why));
    assert_string_equal(why, "not a regular file");
    sm_witness_free(&witness);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    path = sm_print("%s/w", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    free(path);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(only_used_sites_are_kept),
        cmocka_unit_test(every_truncation_is_seen),
        cmocka_unit_test(every_flipped_bit_is_seen),
        cmocka_unit_test(bytes_behind_the_end_are_seen),
        cmocka_unit_test(full_disk_leaves_the_old_file),
        cmocka_unit_test(devices_are_not_replaced),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
