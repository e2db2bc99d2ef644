/*
 * Pattern 12, R(l1) W'(l2) W'(l1) R(l2): two locations are read from two states.
 *
 * expect only: set=pair unit=u pattern=12
 *
 * As pattern 11, with v writing in the other order.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, READ(first));
    STEP(4, READ(second));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(second));
    STEP(3, WRITE(first));
    repair_unlock(&pair->lock);
}
