/*
 * Pattern 10, W(l1) R'(l2) R'(l1) W(l2): half of an update is seen.
 *
 * expect only: set=pair unit=u pattern=10
 *
 * As pattern 9, with v reading in the other order.
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
    STEP(2, READ(second));
    STEP(3, READ(first));
    repair_unlock(&pair->lock);
}
