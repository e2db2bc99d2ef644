// executions: 1
#define EXCHANGE atomic_compare_exchange_strong
#include "gives_up_false.c"
