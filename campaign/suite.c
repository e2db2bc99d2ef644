#include "campaign/suite.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/options.h"

/* ---- the list ---- */

static bool has_name(const struct sm_suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->n; i++)
        if (strcmp(suite->tests[i].name, name) == 0)
            return true;
    return false;
}

/* Takes ownership of the test. A name that exists already gets a number. */
static void add(struct sm_suite *suite, struct sm_suite_test test)
{
    char *name = sm_copy_text(test.name);
    for (unsigned i = 2; has_name(suite, name); i++) {
        free(name);
        name = sm_print("%s-%u", test.name, i);
    }
    free(test.name);
    test.name = name;
    suite->tests = sm_resize(suite->tests, (suite->n + 1) * sizeof *suite->tests);
    suite->tests[suite->n++] = test;
}

void sm_suite_free(struct sm_suite *suite)
{
    for (size_t i = 0; i < suite->n; i++) {
        free(suite->tests[i].name);
        free(suite->tests[i].directory);
        sm_list_free(&suite->tests[i].command);
        sm_list_free(&suite->tests[i].environment);
    }
    free(suite->tests);
    *suite = (struct sm_suite){0};
}

/* ---- text ---- */

/* "name: command"; without a name, that of the program. */
static char *name_in(char **line)
{
    size_t length = strcspn(*line, " \t:'\"/\\");
    if (!length || (*line)[length] != ':' || !isspace((unsigned char)(*line)[length + 1]))
        return NULL;
    char *name = sm_print("%.*s", (int)length, *line);
    *line += length + 1;
    return name;
}

static bool add_line(struct sm_suite *suite, char *line, struct sm_error *error)
{
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true;
    struct sm_suite_test test = {.name = name_in(&line)};
    bool ok = sm_split_words(line, &test.command) && test.command.n;
    if (!ok) {
        sm_fail(error, SM_STATUS_USAGE, "campaign: not a command line: %s", line);
        free(test.name);
        sm_list_free(&test.command);
        return false;
    }
    const char *slash = strrchr(test.command.items[0], '/');
    if (!test.name)
        test.name = sm_copy_text(slash ? slash + 1 : test.command.items[0]);
    add(suite, test);
    return true;
}

static bool read_text(struct sm_suite *suite, char *text, struct sm_error *error)
{
    bool ok = true;
    for (char *line; ok && (line = strsep(&text, "\n"));)
        ok = add_line(suite, line, error);
    return ok;
}

/* ---- JSON ---- */

static void add_words(struct sm_list *to, const json_t *words)
{
    size_t i;
    const json_t *word;
    json_array_foreach(words, i, word) if (json_is_string(word))
        sm_list_add(to, json_string_value(word));
}

/* CTest: {"name": "ENVIRONMENT", "value": [...]}. False: the test is disabled. */
static bool take_property(struct sm_suite_test *test, const json_t *property)
{
    const char *name = json_string_value(json_object_get(property, "name"));
    const json_t *value = json_object_get(property, "value");
    if (name && strcmp(name, "WORKING_DIRECTORY") == 0 && json_is_string(value))
        test->directory = sm_copy_text(json_string_value(value));
    if (name && strcmp(name, "ENVIRONMENT") == 0)
        add_words(&test->environment, value);
    return !name || strcmp(name, "DISABLED") != 0 || !json_is_true(value);
}

static void add_ctest(struct sm_suite *suite, const json_t *json)
{
    size_t i;
    const json_t *property;
    const char *name = json_string_value(json_object_get(json, "name"));
    struct sm_suite_test test = {.name = sm_copy_text(name ? name : "test")};
    bool enabled = true;
    add_words(&test.command, json_object_get(json, "command"));
    json_array_foreach(json_object_get(json, "properties"), i, property) enabled &=
        take_property(&test, property);
    if (enabled && test.command.n) {
        add(suite, test);
        return;
    }
    struct sm_suite one = {.tests = sm_copy_bytes(&test, sizeof test), .n = 1};
    sm_suite_free(&one);
}

static void add_meson(struct sm_suite *suite, json_t *json)
{
    const char *key, *name = json_string_value(json_object_get(json, "name"));
    json_t *value;
    struct sm_suite_test test = {.name = sm_copy_text(name ? name : "test")};
    const char *directory = json_string_value(json_object_get(json, "workdir"));
    test.directory = sm_copy_text(directory);
    add_words(&test.command, json_object_get(json, "cmd"));
    json_object_foreach(json_object_get(json, "env"), key, value)
    {
        char *entry = sm_print("%s=%s", key, json_is_string(value) ? json_string_value(value) : "");
        sm_list_add(&test.environment, entry);
        free(entry);
    }
    add(suite, test);
}

static bool read_json(struct sm_suite *suite, const char *text)
{
    json_t *json = json_loads(text, 0, NULL), *test;
    size_t i;
    if (json_is_object(json))
        json_array_foreach(json_object_get(json, "tests"), i, test) add_ctest(suite, test);
    else
        json_array_foreach(json, i, test) if (json_array_size(json_object_get(test, "cmd")))
            add_meson(suite, test);
    bool ok = json;
    json_decref(json);
    return ok;
}

/* ---- files ---- */

static bool slurp(FILE *file, struct sm_buffer *to)
{
    char chunk[1 << 14];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        sm_buffer_add(to, chunk, got);
    return !ferror(file);
}

static bool is_file(const char *directory, const char *name)
{
    struct stat file;
    char *path = sm_print("%s/%s", directory, name);
    bool found = stat(path, &file) == 0;
    free(path);
    return found;
}

/* For a build directory: CTest is run, Meson has it in a file. */
static FILE *open_directory(const char *path)
{
    struct sm_buffer command = {0};
    if (!is_file(path, "CTestTestfile.cmake")) {
        char *list = sm_print("%s/meson-info/intro-tests.json", path);
        FILE *file = fopen(list, "re");
        free(list);
        return file;
    }
    sm_buffer_text(&command, "ctest --show-only=json-v1 --test-dir ");
    sm_quote_word(path, &command);
    FILE *file = popen(command.data, "re");
    sm_buffer_free(&command);
    return file;
}

static bool read_file(struct sm_buffer *text, const char *path, struct sm_error *error)
{
    struct stat about;
    bool directory = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    FILE *file = directory ? open_directory(path) : fopen(path, "re");
    bool ok = file && slurp(file, text);
    int reason = errno;
    if (file && directory && is_file(path, "CTestTestfile.cmake"))
        ok &= pclose(file) == 0;
    else if (file)
        fclose(file);
    return ok || sm_fail(error, SM_STATUS_USAGE,
                         directory ? "campaign: %s is the build directory of neither CMake nor "
                                     "Meson, or its tests cannot be listed (%s)"
                                   : "campaign: cannot read %s: %s",
                         path, strerror(reason));
}

bool sm_suite_read(struct sm_suite *suite, const char *path, struct sm_error *error)
{
    struct sm_buffer text = {0};
    bool ok = read_file(&text, path, error);
    const char *begin = text.data ? text.data + strspn(text.data, " \t\n") : "";
    if (ok && (*begin == '{' || *begin == '['))
        ok = read_json(suite, begin) ||
             sm_fail(error, SM_STATUS_USAGE, "campaign: %s is not valid JSON", path);
    else if (ok && text.data)
        ok = read_text(suite, text.data, error);
    sm_buffer_free(&text);
    return ok && (suite->n || sm_fail(error, SM_STATUS_USAGE,
                                      "campaign: no test in %s; write one command line for each "
                                      "line, or give the build directory of CMake or Meson",
                                      path));
}
