/* openmp.h - what the rest of the runtime has to know of OpenMP. */
#ifndef SM_RUNTIME_INTERCEPT_OPENMP_H
#define SM_RUNTIME_INTERCEPT_OPENMP_H

#include <stdint.h>

/* Thread `number` of `size` of the parallel region whose call contains this address. Numbered
   from 1; 0 is in none, of size 0. */
struct sm_team_thread {
    uintptr_t region;
    uint32_t number, size;
};
const struct sm_team_thread *sm_openmp_member_at(uint32_t index);

/* libomp gives way because it waits, for what is not known: until a construct begins or ends, or
   other threads have taken some steps. When all threads wait, and none got on for a while, that is
   a deadlock. */
void sm_openmp_idle(void *pc);

/* Before the process ends: libomp's destructor waits, without giving way, for workers that have not
   left the last region yet. Lets them run until they have. */
void sm_openmp_settle(void *pc);

#endif
