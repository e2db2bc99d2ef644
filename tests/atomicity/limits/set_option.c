/*
 * What the source does not declare, an option can: declared_set.c without its declaration.
 *
 * expect: set=books unit=move pattern=9,10,11,12
 * options: --set books=purse.money
 */
#define UNDECLARED
#include "declared_set.c"
