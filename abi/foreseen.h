/*
 * foreseen.h - a value that a load could see before it is stored.
 *
 * A load is identified by its thread, its site and its number there, so that it can be found in
 * another execution of the same choices. The profiler (analysis/prescient.c) records which values
 * came too late for which loads; the driver picks some of them, and the runtime serves them in a
 * later execution.
 */
#ifndef SM_ABI_FORESEEN_H
#define SM_ABI_FORESEEN_H

#include <stdint.h>

#define SM_MAX_FORESEEN 4096

struct sm_foreseen {
    uint32_t thread, site;
    uint32_t nth;  /* 1: the thread's first load at the site */
    uint32_t size; /* of the load, in bytes */
    uint64_t value;
    uint64_t order; /* events before the load: the order in which loads were made */
};

#endif
