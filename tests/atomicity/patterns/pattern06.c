/*
 * Pattern 6, W(l1) W'(l1) W'(l2) W(l2): one location of each unit is left.
 *
 * expect only: set=pair unit=u pattern=6
 *
 * v comes last at first, and u at second.
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
    STEP(2, WRITE(first));
    STEP(3, WRITE(second));
    repair_unlock(&pair->lock);
}
