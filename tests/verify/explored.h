/* explored.h - runs verify on a litmus test, for the programs that compare it with an oracle. */
#ifndef VERIFY_EXPLORED_H
#define VERIFY_EXPLORED_H

#include "../../driver/target.h"

/* Every execution of the test. True: all were explored; results are in the target's control block
   and trace. False: it said why. The target is to be closed if it was opened (`*opened`). */
bool explore_litmus(struct sm_target *target, bool *opened, const char *binary, const char *test,
                    uint64_t model);

#endif
