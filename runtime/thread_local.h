/*
 * thread_local.h - which thread-local variable is at an address, for reports.
 */
#ifndef SM_RUNTIME_THREAD_LOCAL_H
#define SM_RUNTIME_THREAD_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

struct sm_thread;

/* Where the address lies in the thread-local memory that an object file has in every thread. */
struct sm_thread_local {
    uintptr_t inside; /* some address inside of the object file */
    uint64_t offset;  /* in its thread-local segment */
};

/* False if it is not thread-local memory of the thread, which may have ended. */
bool sm_thread_local_find(const struct sm_thread *owner, uintptr_t addr,
                          struct sm_thread_local *found);

#endif
