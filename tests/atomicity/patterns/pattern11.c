/*
 * Pattern 11, R(l1) W'(l1) W'(l2) R(l2): two locations are read from two states.
 *
 * expect only: set=pair unit=u pattern=11
 *
 * u sees first before v, and second after it.
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
    STEP(2, WRITE(first));
    STEP(3, WRITE(second));
    repair_unlock(&pair->lock);
}
