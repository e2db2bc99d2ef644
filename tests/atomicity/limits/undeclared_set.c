/*
 * Without the declaration the two purses are two sets, and nothing is known to go wrong.
 *
 * expect: nothing
 */
#define UNDECLARED
#include "declared_set.c"
