/* explored.h - runs verify on a litmus test, for the programs that compare it with an oracle. */
#ifndef VERIFY_EXPLORED_H
#define VERIFY_EXPLORED_H

#include "../../driver/target.h"

/* Every execution of a test: program.c and its arguments. True: all were explored; results are in
   the target's control block and trace. False: it said why. The target is to be closed if it was
   opened (`*opened`). */
bool explore_litmus(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                    bool prescient);

#endif
