/* steps.h - steps of an execution side by side: place, line of the source, what happened there. */
#ifndef SM_FINDINGS_STEPS_H
#define SM_FINDINGS_STEPS_H

#include "base/memory.h"
#include "witness/place.h"

enum { SM_MOST_STEPS = 8 };

struct sm_steps {
    struct sm_step_line {
        char *where, *source, *what;
        size_t skipped; /* accesses left out after it */
    } items[SM_MOST_STEPS];
    size_t n;
};

/* The source is also looked for in the directory, which may be NULL. Steps beyond the maximum are
   left out. */
void sm_steps_add(struct sm_steps *steps, const struct sm_place *place, const char *directory,
                  const char *what);
/* After the last step so many accesses are left out. */
void sm_steps_skip(struct sm_steps *steps, size_t n);
/* Adds a line for each, with aligned columns; a source line that is too long is cut. Empties the
   steps. */
void sm_steps_put(struct sm_steps *steps, struct sm_list *lines);

#endif
