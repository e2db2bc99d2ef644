/*
 * certify.h - which writes may be read before they are made?
 *
 * Model hb: those that are certified. At the moment of the read the thread of the write, running
 * alone on memory as it is, can come to make it. So the write does not depend on the read, and no
 * value comes out of thin air. Where JPR lets any write that some path makes be read early, and so
 * lets tc5 and tc10 through (model oota), here its thread itself must be able to make it, whatever
 * comes of the read. In the execution the write must then be made, with that value.
 *
 * Memory as it is: the writes that are made, and those of other threads that are certified at the
 * same moment without this one (tc7). The thread need not keep what it promised before. A thread
 * that joins another one may run that one too: a compiler may merge the two (tc19).
 */
#ifndef SM_VERIFY_STATES_CERTIFY_H
#define SM_VERIFY_STATES_CERTIFY_H

#include "verify/states/machine.h"

struct sm_solo {
    /* Not certified, because somebody's next event is not known: who, and how to come there. */
    struct sm_move *steps;
    uint32_t n_steps, step_capacity;
    uint32_t unknown;
    /* Writes that the thread can come to make. */
    struct sm_future *writes;
    uint32_t n_writes, write_capacity;
    bool cut; /* a search was given up */
};

void sm_certify_start(void); /* once */
struct sm_solo *sm_certify_last(void);

/* Finds every write that the thread can come to make, where it may read `futures`:
   sm_certify_last()->writes. False: an event is missing. */
bool sm_certify(const struct sm_machine *machine, uint32_t thread,
                const struct sm_futures *futures);

#endif
