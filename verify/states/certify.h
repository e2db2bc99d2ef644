/*
 * certify.h - may a thread promise a write? (promising semantics, Kang et al. 2017)
 *
 * A thread may promise a write if, running alone on memory as it is, it can come to make it,
 * and with it all that it promised before. The same must still be so after each of its own
 * steps. That is what rules out values out of thin air: where the paper (JPR) lets any write
 * that some path makes be read early, and so lets tc5 and tc10 through, here the thread itself
 * must be able to make it, whatever comes of the read.
 *
 * A thread that joins another one may run that one too: a compiler may merge the two (tc19).
 */
#ifndef SM_VERIFY_STATES_CERTIFY_H
#define SM_VERIFY_STATES_CERTIFY_H

#include "verify/states/machine.h"

enum sm_answer { SM_NO, SM_YES, SM_UNKNOWN };

struct sm_solo {
    /* SM_UNKNOWN: how to come to where somebody's next event is not known, and who. */
    struct sm_move *steps;
    uint32_t n_steps, step_capacity;
    uint32_t unknown;
    /* Plain writes that the thread may promise. */
    struct sm_move *writes;
    uint32_t n_writes, write_capacity;
    bool cut; /* a search was given up */
};

void sm_certify_start(void); /* once */
struct sm_solo *sm_certify_last(void);

/* Can the thread make what it owes? */
enum sm_answer sm_certify(const struct sm_machine *machine, uint32_t thread);
/* What else can it promise? Never SM_NO; what is found is in sm_certify_last()->writes. */
enum sm_answer sm_certify_promises(const struct sm_machine *machine, uint32_t thread);

#endif
