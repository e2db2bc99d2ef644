/*
 * order.h - is it the order of this variable's accesses that a failure under sc needs?
 *
 * A narrow trial switches threads at the variable's accesses. That such an execution fails does not
 * say that they matter: the switch may be harmful because of where it is, between two accesses
 * of another variable. So each switch in front of an access of the variable is moved over this
 * access, and over nothing else. If the failure stays, that access could as well have come before
 * what the other threads did: its order is not what the failure needs. Then the switch is moved to
 * the next access of the variable and tried on both sides of that one, until the failure is gone.
 * If it goes when the switch passes an access of the variable, the variable is to blame; if it goes
 * between two of them, something else is.
 */
#ifndef SM_HUNT_ORDER_H
#define SM_HUNT_ORDER_H

#include "hunt/shrink.h"

/* Of a failure in a narrow trial without lies, made small. Also true when it cannot be told. */
bool sm_order_decides(const struct sm_case *failing, struct sm_campaign *campaign,
                      const struct sm_baseline *baseline, bool *decides, struct sm_error *error);

#endif
