/*
 * What the source does not declare, an option can: declared_unit.c without its declaration.
 *
 * expect: set=meter unit=read_twice pattern=2
 * options: --unit read_twice:meter
 */
#define UNDECLARED
#include "declared_unit.c"
