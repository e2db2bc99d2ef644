/*
 * Without the declaration two readings are two units, and may differ.
 *
 * expect: nothing
 */
#define UNDECLARED
#include "declared_unit.c"
