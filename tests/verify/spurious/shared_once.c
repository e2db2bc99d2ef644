// executions: 2
// The twin of shared_once_false.c: one of them gets it.
#define EXCHANGE atomic_compare_exchange_strong
#include "shared_once_false.c"
