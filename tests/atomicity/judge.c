/*
 * judge.c - does what `stalemate atomicity` reported include the documented bug?
 *
 *   atomicity-judge [--any-unit] WORD SOURCE JSON
 *
 * Reads the lines "WORD: set=SET unit=UNIT pattern=N,N..." of the source's first comment. Each
 * must be met by a violation of that set, with that unit on either side and one of those
 * patterns; what a line does not say may be anything. "WORD: nothing" is met by no violation at
 * all, and after "WORD only:" every violation must meet that line. With --any-unit the units may
 * be others than the line says: the same bug by other rules for what a unit is.
 *
 * Prints one line of figures, "found F of N violations V harmful H executions E", and how often
 * each pattern was reported; exits 0 if every line is met, 1 if not, 2 if it cannot say.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 8, PATTERNS = 14 };

struct line {
    char set[64], unit[64];
    unsigned patterns; /* bit n: pattern n; none: any */
    bool only, nothing;
};

static bool any_unit;
static struct line lines[LINES];
static int n_lines;

static void die(const char *what, const char *why)
{
    fprintf(stderr, "atomicity-judge: %s: %s\n", what, why);
    exit(2);
}

static void read_word(struct line *line, const char *word)
{
    if (strcmp(word, "nothing") == 0)
        line->nothing = true;
    else if (strncmp(word, "set=", 4) == 0)
        snprintf(line->set, sizeof line->set, "%s", word + 4);
    else if (strncmp(word, "unit=", 5) == 0)
        snprintf(line->unit, sizeof line->unit, "%s", word + 5);
    else if (strncmp(word, "pattern=", 8) == 0)
        for (const char *at = word + 7; at; at = strchr(at + 1, ','))
            line->patterns |= 1u << strtoul(at + 1, NULL, 10);
    else
        die(word, "set=, unit=, pattern= or nothing is expected here");
}

static void read_line(char *text, bool only)
{
    if (n_lines == LINES)
        die(text, "too many expectations");
    lines[n_lines].only = only;
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
        read_word(&lines[n_lines], word);
    n_lines++;
}

/* What follows WORD and a colon in a line of the comment. */
static char *after(char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, " * ", 3) == 0 && strncmp(text + 3, word, length) == 0 &&
                   text[3 + length] == ':'
               ? text + 4 + length
               : NULL;
}

static void read_source(const char *path, const char *word)
{
    char text[256], word_only[64], *rest;
    FILE *file = fopen(path, "r");
    if (!file)
        die(path, "cannot be read");
    snprintf(word_only, sizeof word_only, "%s only", word);
    while (fgets(text, sizeof text, file) && strncmp(text, " */", 3) != 0) {
        if ((rest = after(text, word)))
            read_line(rest, false);
        else if ((rest = after(text, word_only)))
            read_line(rest, true);
    }
    fclose(file);
    if (n_lines == 0)
        die(path, "does not say what to expect");
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static unsigned pattern_of(const json_t *violation)
{
    json_int_t pattern = json_integer_value(json_object_get(violation, "pattern"));
    if (pattern < 1 || pattern > PATTERNS)
        die("pattern", "is none of 1 to 14");
    return (unsigned)pattern;
}

static bool meets(const json_t *violation, const struct line *line)
{
    if (line->nothing)
        return false;
    if (*line->set && strcmp(line->set, text_of(violation, "set")) != 0)
        return false;
    if (*line->unit && !any_unit && strcmp(line->unit, text_of(violation, "unit")) != 0 &&
        strcmp(line->unit, text_of(violation, "other_unit")) != 0)
        return false;
    return !line->patterns || line->patterns >> pattern_of(violation) & 1;
}

static bool is_met(const struct line *line, const json_t *violations)
{
    size_t i, met = 0;
    const json_t *violation;
    json_array_foreach(violations, i, violation) met += meets(violation, line);
    if (line->nothing || line->only)
        return met == json_array_size(violations) && (line->nothing || met);
    return met;
}

static int count_met(const json_t *violations)
{
    int met = 0;
    for (int i = 0; i < n_lines; i++)
        met += is_met(&lines[i], violations);
    return met;
}

static void print_figures(const json_t *report, const json_t *violations, int met)
{
    int harmful = 0, by_pattern[PATTERNS + 1] = {0};
    size_t i;
    const json_t *violation;
    json_array_foreach(violations, i, violation)
    {
        harmful += json_is_true(json_object_get(violation, "harmful"));
        by_pattern[pattern_of(violation)]++;
    }
    printf("found %d of %d violations %zu harmful %d executions %lld patterns", met, n_lines,
           json_array_size(violations), harmful,
           (long long)json_integer_value(json_object_get(report, "executions")));
    for (int pattern = 1; pattern <= PATTERNS; pattern++)
        printf(" %d", by_pattern[pattern]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    json_error_t error;
    any_unit = argc > 1 && strcmp(argv[1], "--any-unit") == 0;
    argv += any_unit;
    if (argc - any_unit != 4)
        die("usage", "atomicity-judge [--any-unit] WORD SOURCE JSON");
    read_source(argv[2], argv[1]);
    json_t *report = json_load_file(argv[3], 0, &error);
    if (!report)
        die(argv[3], error.text);
    const json_t *violations = json_object_get(report, "violations");
    if (!json_is_array(violations))
        die(argv[3], "has no violations");
    int met = count_met(violations);
    print_figures(report, violations, met);
    json_decref(report);
    return met == n_lines ? 0 : 1;
}
