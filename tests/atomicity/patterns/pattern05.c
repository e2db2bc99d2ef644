/*
 * Pattern 5, W(l) W'(l) W(l): the write of another unit is lost.
 *
 * expect only: set=pair unit=u pattern=5
 *
 * One after the other, the units could not have left v's value unseen between two of u's.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, WRITE(first));
    STEP(3, WRITE(first));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(first));
    repair_unlock(&pair->lock);
}
