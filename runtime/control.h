/*
 * control.h - the runtime's side of the shared memory of abi/control.h.
 *
 * sm_control is NULL when the program was started without the driver, and again in
 * the child of a fork.
 */
#ifndef SM_RUNTIME_CONTROL_H
#define SM_RUNTIME_CONTROL_H

#include <stdbool.h>

#include "abi/control.h"

extern struct sm_control *sm_control;
extern struct sm_choice *sm_choices;
extern struct sm_record *sm_trace;
extern int sm_sites_fd; /* where sitefile.c writes the table; -1: not wanted */

/* Maps the shared memory named in the environment, if any. */
void sm_control_attach(char **environment);
void sm_control_detach(void);

#define sm_option(name) (sm_control->options.name)
#define sm_count(name) (sm_control->counters[SM_COUNT_##name]++)
#define sm_count_most(name, value)                                                                 \
    do {                                                                                           \
        if ((value) > sm_control->counters[SM_COUNT_##name])                                       \
            sm_control->counters[SM_COUNT_##name] = (value);                                       \
    } while (0)

/* The model may return stale or future values at this site. */
static inline bool sm_lies_at(uint32_t site)
{
    return sm_control->lie_mode == SM_LIE_ALL ||
           (site < SM_WATCH_BITS && (sm_control->lie_bits[site / 8] >> site % 8 & 1));
}

#endif
