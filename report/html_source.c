/* Excerpts of sources, for the page. */
#include <stdlib.h>
#include <string.h>

#include "findings/json.h"
#include "report/html.h"

void sm_html_want_lines(json_t *sources, const char *file, uint32_t line, uint32_t around)
{
    if (!file || !line)
        return;
    json_t *lines = json_object_get(sources, file);
    if (!lines) {
        lines = json_object();
        if (json_object_set_new(sources, file, lines) != 0) /* not UTF-8 */
            return;
    }
    for (uint32_t i = line > around ? line - around : 1; i <= line + around; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        json_object_set_new(lines, key, json_null());
    }
}

static FILE *open_source(const char *name, const struct sm_list *directories)
{
    FILE *file = fopen(name, "re");
    for (size_t i = 0; !file && name[0] != '/' && i < directories->n; i++) {
        char *path = sm_print("%s/%s", directories->items[i], name);
        file = fopen(path, "re");
        free(path);
    }
    return file;
}

static bool is_short(FILE *file)
{
    enum { SHORT = 150 };
    char *text = NULL;
    size_t room = 0, n = 0;
    while (n <= SHORT && getline(&text, &room, file) >= 0)
        n++;
    free(text);
    return n <= SHORT;
}

/* The requested lines that exist, in a new object; of a short file all lines. */
static json_t *read_lines(const json_t *wanted, FILE *file)
{
    json_t *lines = json_object();
    char *text = NULL;
    size_t room = 0;
    bool all = is_short(file);
    if (fseek(file, 0, SEEK_SET) != 0)
        return lines; /* only regular files are sources */
    for (unsigned i = 1; getline(&text, &room, file) >= 0; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", i);
        if (!all && !json_object_get(wanted, key))
            continue;
        text[strcspn(text, "\r\n")] = 0;
        json_object_set_new(lines, key, sm_json_text(text));
    }
    free(text);
    return lines;
}

void sm_html_read_lines(json_t *sources, const struct sm_list *directories)
{
    const char *name;
    json_t *wanted;
    void *next;
    json_object_foreach_safe(sources, next, name, wanted)
    {
        FILE *file = open_source(name, directories);
        if (!file) {
            json_object_del(sources, name);
            continue;
        }
        json_object_set_new(sources, name, read_lines(wanted, file));
        fclose(file);
    }
}
