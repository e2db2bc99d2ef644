/*
 * Pattern 8, W(l1) W'(l2) W(l2) W'(l1): one location of each unit is left.
 *
 * expect only: set=pair unit=u pattern=8
 *
 * Both are half done when the other goes on: u comes last at second, and v at first.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, WRITE(first));
    STEP(3, WRITE(second));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(second));
    STEP(4, WRITE(first));
    repair_unlock(&pair->lock);
}
