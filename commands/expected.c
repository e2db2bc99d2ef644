#include "commands/expected.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "allow TEXT" or "forbid TEXT", where \\n stands for the end of a line. */
static bool take_line(char *line, struct sm_explored *explored, uint64_t *forbidden)
{
    const char *text = NULL;
    bool allow = strncmp(line, "allow ", 6) == 0;
    if (allow || strncmp(line, "forbid ", 7) == 0)
        text = strchr(line, ' ') + 1;
    if (!text || explored->n_allowed + explored->n_forbidden == SM_MAX_EXPECTED)
        return false;
    char *to = line;
    for (; *text; text++) {
        bool is_end = text[0] == '\\' && text[1] == 'n';
        *to++ = is_end ? '\n' : *text;
        text += is_end;
    }
    uint64_t hash = sm_outcome_hash(line, (uint64_t)(to - line));
    if (allow)
        explored->expected[explored->n_allowed++] = hash;
    else
        forbidden[explored->n_forbidden++] = hash;
    return true;
}

bool sm_expected_read(const char *path, struct sm_explored *explored, struct sm_error *error)
{
    FILE *file = fopen(path, "re");
    uint64_t forbidden[SM_MAX_EXPECTED];
    char *line = NULL;
    size_t room = 0;
    bool ok = file ||
              sm_fail(error, SM_STATUS_USAGE, "verify: cannot read %s: %s", path, strerror(errno));
    for (unsigned n = 1; ok && getline(&line, &room, file) > 0; n++) {
        line[strcspn(line, "\n")] = 0;
        if (*line && *line != '#' && !take_line(line, explored, forbidden))
            ok = sm_fail(error, SM_STATUS_USAGE,
                         "verify: %s:%u: write 'allow OUTCOME' or 'forbid OUTCOME', at most %d of "
                         "them",
                         path, n, SM_MAX_EXPECTED);
    }
    if (ok)
        memcpy(explored->expected + explored->n_allowed, forbidden,
               explored->n_forbidden * sizeof *forbidden);
    free(line);
    if (file)
        fclose(file);
    return ok;
}
