/*
 * test_patch.c - the patch writer: each rule of rewriting on a small source, with a twin that must
 * be refused. A case is a source, repairs (FILE is its name), and the lines that the patch adds, or
 * words of the reason why there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fix/patch.h"

struct sample {
    const char *name;   /* of the file */
    const char *source; /* a '#' line is for the preprocessor */
    const char *repairs;
    const char *added;   /* each line that begins with '+', without it */
    const char *refused; /* words of the reason */
};

#define THREAD "static void *run(void *arg)\n{\n"

static const struct sample samples[] = {
#include "test_patch.def"
};

static char directory[] = "/tmp/stalemate-patch-XXXXXX";

static char *write_source(const struct sample *sample)
{
    char *path = sm_print("%s/%s", directory, sample->name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(sample->source, file);
    fclose(file);
    return path;
}

static struct sm_repair_set parse(const char *text)
{
    static struct sm_repair repairs[SM_MAX_REPAIRS];
    struct sm_repair_error error = {0};
    struct sm_repair_set set = {0};
    int n = sm_repairs_parse(text, repairs, &error);
    if (n <= 0)
        fail_msg("%s: %s", text, error.why);
    for (int i = 0; i < n; i++)
        sm_repair_set_add(&set, &repairs[i]);
    return set;
}

static char *added_lines(const char *diff)
{
    struct sm_buffer lines = {0};
    for (const char *at = diff; *at; at = strchr(at, '\n') + 1)
        if (*at == '+' && strncmp(at, "+++", 3) != 0)
            sm_buffer_print(&lines, "%.*s", (int)(strcspn(at, "\n")), at + 1);
    return lines.data ? lines.data : sm_copy_text("");
}

/* `patch` itself must take it, and make of it what the patch writer has in mind. */
static void check_applies(struct sm_patch *patch, const char *path)
{
    char *command = sm_print("cd %s && patch -s -p1 -o %s.new", patch->directory, path);
    FILE *to = popen(command, "w");
    fputs(patch->diff, to);
    assert_int_equal(pclose(to), 0);
    free(command);
    char *new = sm_print("%s.new", path), *text = NULL;
    struct sm_source_files made = {0};
    struct sm_source_file *source = sm_sources_at(&made, new);
    for (size_t i = 0; i < patch->sources.n; i++)
        if (strcmp(patch->sources.items[i]->path, path) == 0)
            text = sm_edits_apply(patch->sources.items[i]);
    assert_non_null(source);
    assert_string_equal(source->text, text);
    unlink(new);
    sm_sources_free(&made);
    free(new);
    free(text);
}

static void check_sample(const struct sample *sample)
{
    char *path = write_source(sample);
    struct sm_source_units units = {0};
    struct sm_repair_set repairs = parse(sample->repairs);
    struct sm_patch patch;
    sm_units_add(&units, path, directory);
    bool made = sm_patch_make(&patch, &repairs, &units);
    if (made != !sample->refused)
        fail_msg("%s\n%s%s", sample->source, sample->repairs, made ? patch.diff : patch.why);
    if (sample->refused && !strstr(patch.why, sample->refused))
        fail_msg("%s\nrefused because: %s", sample->source, patch.why);
    if (made) {
        char *added = added_lines(patch.diff);
        if (strcmp(added, sample->added) != 0)
            fail_msg("%s\n%s\nnot %s", sample->repairs, patch.diff, sample->added);
        free(added);
        check_applies(&patch, path);
    }
    sm_patch_free(&patch);
    sm_repair_set_free(&repairs);
    sm_units_free(&units);
    unlink(path);
    free(path);
}

static void test_samples(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
        check_sample(&samples[i]);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
