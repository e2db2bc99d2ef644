// executions: 4
// The twin of attempts_false.c: who fails was overtaken by the other one.
#define EXCHANGE atomic_compare_exchange_strong
#include "attempts_false.c"
