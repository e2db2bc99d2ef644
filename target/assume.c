#include "target/assume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/repair.h"

static bool read_all(const char *path, struct sm_buffer *to, struct sm_error *error)
{
    FILE *file = fopen(path, "re");
    char piece[4096];
    size_t n;
    if (!file)
        return sm_fail(error, SM_STATUS_USAGE, "--assume-fix %s: %s", path, strerror(errno));
    while ((n = fread(piece, 1, sizeof piece, file)) > 0 && to->size <= SM_REPAIR_TEXT)
        sm_buffer_add(to, piece, n);
    bool ok = !ferror(file);
    fclose(file);
    sm_buffer_add(to, "", 1);
    return ok || sm_fail(error, SM_STATUS_USAGE, "--assume-fix %s: it cannot be read", path);
}

bool sm_assume_read(const char *path, char **text, struct sm_error *error)
{
    struct sm_buffer file = {0}, lines = {0};
    struct sm_repair *repairs = sm_new(SM_MAX_REPAIRS * sizeof *repairs);
    struct sm_repair_error wrong;
    *text = NULL;
    bool ok = !path || read_all(path, &file, error);
    int n = path && ok ? sm_repairs_parse(file.data, repairs, &wrong) : 0;
    if (n < 0)
        ok = sm_fail(error, SM_STATUS_USAGE, "%s:%u: %s; the forms of a line are in docs/fix.md",
                     path, wrong.line, wrong.why);
    else if (path && ok && !n)
        ok = sm_fail(error, SM_STATUS_USAGE, "%s: there is no repair in it", path);
    for (int i = 0; i < n; i++) {
        char line[SM_REPAIR_LINE];
        sm_repair_print(&repairs[i], line, sizeof line);
        sm_buffer_print(&lines, "%s%s", i ? "\n" : "", line);
    }
    if (ok && n > 0)
        *text = sm_copy_text(lines.data);
    sm_buffer_free(&file);
    sm_buffer_free(&lines);
    free(repairs);
    return ok;
}

bool sm_assume_text(struct sm_target *target, const char *text, struct sm_error *error)
{
    if (strlen(text) >= SM_REPAIR_TEXT)
        return sm_fail(error, SM_STATUS_USAGE, "the repairs to assume have more than %d bytes",
                       SM_REPAIR_TEXT);
    strcpy(target->shared.control->repairs, text);
    return true;
}

bool sm_assume_file(struct sm_target *target, const char *path, struct sm_error *error)
{
    char *text;
    bool ok = sm_assume_read(path, &text, error) && (!text || sm_assume_text(target, text, error));
    free(text);
    return ok;
}
