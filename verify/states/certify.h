/*
 * certify.h - which writes may be read before they are made?
 *
 * Model hb: those that are certified. At the moment of the read the writing thread, running alone
 * on the current memory, can reach the write. So the write does not depend on the read, and no
 * value comes out of thin air. JPR lets any write of some path be read early, and so allows tc5
 * and tc10 (model oota); here the thread itself must be able to make it, independently of the
 * read. The execution must then make the write, with that value.
 *
 * The current memory: the writes made, and those of other threads that are certified at the same
 * moment without this one (tc7). The thread need not fulfil its earlier promises. A thread that
 * joins another one may run that one, too: a compiler may merge the two (tc19).
 */
#ifndef SM_VERIFY_STATES_CERTIFY_H
#define SM_VERIFY_STATES_CERTIFY_H

#include "verify/states/machine.h"

struct sm_solo {
    /* Not certified, because a thread's next event is not known: which, and the steps that lead
       there. */
    struct sm_move *steps;
    uint32_t n_steps, step_capacity;
    uint32_t unknown;
    /* Writes that the thread can reach. */
    struct sm_future *writes;
    uint32_t n_writes, write_capacity;
    bool cut; /* a search was cut off */
};

void sm_certify_start(void); /* once */
struct sm_solo *sm_certify_last(void);

/* Finds every write that the thread can reach if it may read `futures`: sm_certify_last()->writes.
   False: an event is missing. */
bool sm_certify(const struct sm_machine *machine, uint32_t thread,
                const struct sm_futures *futures);

#endif
