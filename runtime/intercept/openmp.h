/* openmp.h - OpenMP support for the rest of the runtime. */
#ifndef SM_RUNTIME_INTERCEPT_OPENMP_H
#define SM_RUNTIME_INTERCEPT_OPENMP_H

#include <stdint.h>

/* Thread `number` of `size` of the parallel region whose call contains this address. Indexed from
   1; index 0, of size 0, means none. */
struct sm_team_thread {
    uintptr_t region;
    uint32_t number, size;
};
const struct sm_team_thread *sm_openmp_member_at(uint32_t index);

/* libomp yields because it waits for something unknown: waits until a construct begins or ends, or
   other threads have taken some steps. If all threads wait, without progress for a while, that is a
   deadlock. */
void sm_openmp_idle(void *pc);

/* Before the process ends: libomp's destructor waits, without yielding, for workers that have not
   left the last region yet. Lets them run until they have. */
void sm_openmp_settle(void *pc);

#endif
