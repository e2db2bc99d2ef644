/*
 * Pattern 3, W(l) R'(l) W(l): an intermediate value is seen.
 *
 * expect only: set=pair unit=u pattern=3
 *
 * v works on a value that u never meant to leave behind.
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
    STEP(2, READ(first));
    repair_unlock(&pair->lock);
}
