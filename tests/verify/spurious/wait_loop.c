// executions: 2
// count: 2
// The twin of wait_once_false.c that looks again; as many executions as without spurious wake-ups.
#define UNTIL(condition) while (condition)
#include "wait_once_false.c"
