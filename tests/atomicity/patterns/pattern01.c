/*
 * Pattern 1, R(l) W'(l) W(l): the value read is stale by the time of the update.
 *
 * expect only: set=pair unit=u pattern=1
 *
 * What v wrote is lost.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, READ(first));
    STEP(3, WRITE(first));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(first));
    repair_unlock(&pair->lock);
}
