/*
 * use.h - what becomes of the value that a load or a read-modify-write returns (enum sm_value_use).
 *
 * Where it is only compared with a constant, another value for which the comparison has the same
 * result makes no difference to the program: verify/loops/undone.h.
 */
#ifndef SM_PLUGIN_USE_H
#define SM_PLUGIN_USE_H

#include "plugin/pass.h"

void sm_read_use(struct sm_row *row);

#endif
