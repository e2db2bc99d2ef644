// executions: 4
// hb: 3
#define UNTIL(condition) while (condition)
#include "timed_once_false.c"
