/*
 * use.h - how the value that a load or a read-modify-write returns is used (enum sm_value_use).
 *
 * If it is only compared with a constant, another value with the same result of the comparison
 * makes no difference to the program: verify/loops/undone.h.
 */
#ifndef SM_PLUGIN_USE_H
#define SM_PLUGIN_USE_H

#include "plugin/pass.h"

void sm_read_use(struct sm_row *row);

#endif
