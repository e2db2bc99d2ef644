/*
 * Pattern 4, W(l) W'(l) R(l): the value read is not the one just written.
 *
 * expect only: set=pair unit=u pattern=4
 *
 * u takes the value of v for its own.
 */
#include "pattern.h"

void u(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(1, WRITE(first));
    STEP(3, READ(first));
    repair_unlock(&pair->lock);
}

void v(struct pair *pair)
{
    repair_lock(&pair->lock);
    STEP(2, WRITE(first));
    repair_unlock(&pair->lock);
}
