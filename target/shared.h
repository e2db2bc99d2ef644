/*
 * shared.h - the driver's side of the memory of abi/control.h.
 *
 * Made once for a target and used for all its executions, one after the other.
 */
#ifndef SM_TARGET_SHARED_H
#define SM_TARGET_SHARED_H

#include "abi/control.h"
#include "base/status.h"
#include "witness/sites.h"

enum sm_shared_file {
    SM_SHARED_CONTROL,
    SM_SHARED_CHOICES,
    SM_SHARED_TRACE,
    SM_SHARED_SITES,
    SM_SHARED_FILES
};

struct sm_shared {
    struct sm_control *control;
    struct sm_choice *choices;
    struct sm_record *trace;
    int fds[SM_SHARED_FILES];
};

bool sm_shared_open(struct sm_shared *shared, struct sm_error *error);
/* Clears the results of the previous execution. What a program reports once, when it starts
   (attached, mappings), is cleared only if `program`. */
void sm_shared_clear(struct sm_shared *shared, bool program);
/* Bytes of the choices and records of the execution: they count to the program's memory. */
uint64_t sm_shared_recorded(const struct sm_shared *shared);
/* Adds the tables the program has written since the last call; false when there are none at all. */
bool sm_shared_sites(const struct sm_shared *shared, struct sm_sites *sites);
void sm_shared_close(struct sm_shared *shared);

#endif
