/*
 * Pattern 7, W(l1) W'(l2) W'(l1) W(l2): one location of each unit is left.
 *
 * expect only: set=pair unit=u pattern=7
 *
 * As pattern 6, with v writing in the other order.
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
    STEP(2, WRITE(second));
    STEP(3, WRITE(first));
    repair_unlock(&pair->lock);
}
