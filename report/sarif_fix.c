/* Fixes of a result: the hunks of a unified diff, as replacements of lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/json.h"
#include "report/sarif.h"

struct replaced_lines {
    uint32_t line;    /* of the source, from 1: the first that is removed, or before which lines are
                         inserted */
    uint32_t deleted; /* removed lines */
    struct sm_buffer added; /* their replacement */
};

static size_t line_size(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* An insertion deletes the empty region before its line. */
static json_t *region_json(const struct replaced_lines *lines)
{
    json_int_t start = lines->line, end = lines->line + lines->deleted;
    return json_pack("{s:I, s:i, s:I, s:i}", "startLine", start, "startColumn", 1, "endLine", end,
                     "endColumn", 1);
}

static void end_replacement(struct replaced_lines *lines, json_t *replacements)
{
    if (lines->deleted || lines->added.size) {
        sm_buffer_add(&lines->added, "", 1);
        json_array_append_new(replacements, json_pack("{s:o, s:{s:o}}", "deletedRegion",
                                                      region_json(lines), "insertedContent", "text",
                                                      sm_json_text(lines->added.data)));
    }
    lines->line += lines->deleted;
    lines->deleted = 0;
    sm_buffer_free(&lines->added);
}

static void take_line(struct replaced_lines *lines, const char *line, json_t *replacements)
{
    switch (*line) {
    case '-':
        lines->deleted++;
        break;
    case '+':
        sm_buffer_add(&lines->added, line + 1, line_size(line) - 1);
        break;
    case ' ':
        end_replacement(lines, replacements);
        lines->line++;
        break;
    default: /* "\ No newline at end of file" */
        break;
    }
}

/* Of one file, from its first hunk on; returns where the next file begins. */
static const char *take_file(const char *line, json_t *replacements)
{
    struct replaced_lines lines = {0};
    for (; *line && strncmp(line, "--- ", 4) != 0; line += line_size(line)) {
        uint32_t start;
        if (sscanf(line, "@@ -%u", &start) != 1) {
            take_line(&lines, line, replacements);
            continue;
        }
        end_replacement(&lines, replacements);
        lines.line = start;
    }
    end_replacement(&lines, replacements);
    return line;
}

/* "--- a/FILE" of a diff; to be freed. */
static char *file_of(const char *line)
{
    size_t length = strcspn(line, "\t\n");
    size_t skip = strncmp(line, "--- a/", 6) == 0 ? 6 : 4;
    return sm_print("%.*s", (int)(length - skip), line + skip);
}

static json_t *changes_json(const char *diff)
{
    json_t *changes = json_array();
    for (const char *line = diff; *line;) {
        if (strncmp(line, "--- ", 4) != 0) {
            line += line_size(line);
            continue;
        }
        char *file = file_of(line);
        json_t *replacements = json_array();
        line += line_size(line);
        line += line_size(line); /* "+++ b/FILE" */
        line = take_file(line, replacements);
        json_array_append_new(changes,
                              json_pack("{s:o, s:o}", "artifactLocation", sm_sarif_artifact(file),
                                        "replacements", replacements));
        free(file);
    }
    return changes;
}

json_t *sm_sarif_fixes(const struct sm_cure_found *cure)
{
    if (!cure || !cure->patch)
        return NULL;
    return json_pack("[{s:{s:o}, s:o}]", "description", "text", sm_json_text(cure->text),
                     "artifactChanges", changes_json(cure->patch));
}
