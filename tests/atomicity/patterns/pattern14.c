/*
 * Pattern 14, W(l1) R'(l2) W(l2) R'(l1): half of an update is seen.
 *
 * expect only: set=pair unit=u pattern=14
 *
 * Both are half done when the other goes on: v misses u's second, and sees its first.
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
    STEP(2, READ(second));
    STEP(4, READ(first));
    repair_unlock(&pair->lock);
}
