// executions: 2
// count: 2
#define UNTIL(condition) while (condition)
#include "cnd_once_false.c"
