/*
 * Pattern 13, R(l1) W'(l2) R(l2) W'(l1): two locations are read from two states.
 *
 * expect only: set=pair unit=u pattern=13
 *
 * v is half done when u goes on: u sees its second, and not its first.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, READ(first));
    STEP(3, READ(second));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(second));
    STEP(4, WRITE(first));
    repair_unlock(&pair->lock);
}
