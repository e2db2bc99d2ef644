#include "findings/steps.h"

#include <stdlib.h>
#include <string.h>

#include "findings/voice.h"

enum { WIDEST_SOURCE = 44 };

/* The column of places is narrow: of a long path only the last component is shown. */
static const char *short_path(const char *path)
{
    enum { LONGEST_PATH = 24 };
    const char *slash = strrchr(path, '/');
    return strlen(path) > LONGEST_PATH && slash ? slash + 1 : path;
}

void sm_steps_add(struct sm_steps *steps, const struct sm_place *place, const char *directory,
                  const char *what)
{
    if (steps->n == SM_MOST_STEPS)
        return;
    char *where =
        place->file ? sm_print("%s:%u", short_path(place->file), place->line) : sm_copy_text("");
    steps->items[steps->n++] =
        (struct sm_step_line){where, sm_voice_source(place, directory), sm_copy_text(what), 0};
}

void sm_steps_skip(struct sm_steps *steps, size_t n)
{
    if (steps->n)
        steps->items[steps->n - 1].skipped = n;
}

static size_t widest(const struct sm_steps *steps, bool source)
{
    size_t most = 0;
    for (size_t i = 0; i < steps->n; i++) {
        const char *text = source ? steps->items[i].source : steps->items[i].where;
        size_t length = text ? strlen(text) : 0;
        most = length > most ? length : most;
    }
    return source && most > WIDEST_SOURCE ? WIDEST_SOURCE : most;
}

void sm_steps_put(struct sm_steps *steps, struct sm_list *lines)
{
    size_t where = widest(steps, false), source = widest(steps, true);
    for (size_t i = 0; i < steps->n; i++) {
        struct sm_step_line *step = &steps->items[i];
        const char *text = step->source ? step->source : "";
        bool cut = strlen(text) > source;
        char *line = sm_print("  %-*s  %-*.*s%s%s%s", (int)where, step->where,
                              (int)(cut ? source - 3 : source), (int)(cut ? source - 3 : source),
                              text, cut ? "..." : "", source ? "  " : "", step->what);
        sm_list_add(lines, line);
        free(line);
        if (step->skipped) {
            line = sm_print("  ... %zu more access%s ...", step->skipped,
                            step->skipped == 1 ? "" : "es");
            sm_list_add(lines, line);
            free(line);
        }
        free(step->where);
        free(step->source);
        free(step->what);
    }
    steps->n = 0;
}
