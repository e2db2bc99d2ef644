#include "header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct words split(const char *text)
{
    struct words words = {0};
    char *copy = strdup(text), *state;

    for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        if (words.n == HEADER_WORDS) {
            fprintf(stderr, "harness: more than %d words in '%s'\n", HEADER_WORDS, text);
            exit(2);
        }
        words.word[words.n++] = word;
    }
    return words;
}

static void parse_expect(struct header *header, const char *text)
{
    struct words words = split(text);
    int at = 0;

    snprintf(header->expect, sizeof(header->expect), "%s", text);
    if (words.n > at && !strcmp(words.word[at], "sometimes")) {
        header->sometimes = true;
        at++;
    }
    if (words.n <= at) {
        fprintf(stderr, "harness: nothing after 'expect:'\n");
        exit(2);
    }
    snprintf(header->kind, sizeof(header->kind), "%s", words.word[at]);
    const char *detail = words.n > at + 1 ? words.word[at + 1] : "";
    if (!strcmp(header->kind, "exit"))
        header->status = atoi(detail);
    if (!strcmp(header->kind, "signal"))
        snprintf(header->signal, sizeof(header->signal), "%s", detail);
}

static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) ? NULL : line + length + strspn(line + length, " ");
}

static void parse_line(struct header *header, const char *line)
{
    const char *value;

    if ((value = value_of(line, "// expect:")))
        parse_expect(header, value);
    else if ((value = value_of(line, "// args:")))
        header->args = split(value);
    else if ((value = value_of(line, "// stdin:")))
        header->input = strdup(value);
    else if ((value = value_of(line, "// options:")))
        header->options = split(value);
    else if ((value = value_of(line, "// models:")))
        header->models = split(value);
    else if ((value = value_of(line, "// native:")))
        header->native = strcmp(value, "no") != 0;
}

struct header header_read(const char *path)
{
    struct header header = {.expect = "exit 0", .kind = "exit", .native = true, .input = ""};
    char line[512];
    FILE *file = fopen(path, "r");

    if (!file) {
        perror(path);
        exit(2);
    }
    header.models = split("sc tso");
    while (fgets(line, sizeof(line), file) && !strncmp(line, "//", 2)) {
        line[strcspn(line, "\n")] = '\0';
        parse_line(&header, line);
    }
    fclose(file);
    return header;
}
