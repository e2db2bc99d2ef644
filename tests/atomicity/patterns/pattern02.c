/*
 * Pattern 2, R(l) W'(l) R(l): one unit reads a location twice, and it has changed.
 *
 * expect only: set=pair unit=u pattern=2
 *
 * What u concluded from the first value no longer holds.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, READ(first));
    STEP(3, READ(first));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(first));
    repair_unlock(&pair->lock);
}
