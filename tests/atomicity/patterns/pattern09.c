/*
 * Pattern 9, W(l1) R'(l1) R'(l2) W(l2): half of an update is seen.
 *
 * expect only: set=pair unit=u pattern=9
 *
 * v sees the new first and the old second.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, WRITE(first));
    STEP(4, WRITE(second));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, READ(first));
    STEP(3, READ(second));
    repair_unlock(&pair->lock);
}
