#include "base/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

static bool put(const struct sm_buffer *text, FILE *to)
{
    return fwrite(text->data, 1, text->size, to) == text->size && fflush(to) == 0;
}

static bool put_file(const struct sm_buffer *text, const char *path)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool ok = put(text, file);
    int reason = errno;
    if (fclose(file) != 0 && ok)
        return false;
    errno = reason;
    return ok;
}

/* Reports an error once: nothing is left to be written at exit. */
static bool put_standard(const struct sm_buffer *text)
{
    bool ok = put(text, stdout);
    int reason = errno;
    if (!ok) {
        __fpurge(stdout);
        clearerr(stdout);
    }
    errno = reason;
    return ok;
}

bool sm_write_text(const struct sm_buffer *text, const char *path, struct sm_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    return (standard ? put_standard(text) : put_file(text, path)) ||
           sm_fail(error, SM_STATUS_USAGE, "cannot write %s: %s",
                   standard ? "standard output" : path, strerror(errno));
}
