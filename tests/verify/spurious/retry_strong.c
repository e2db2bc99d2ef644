// executions: 2
// count: 4
// models: sc tso pso c11
#define EXCHANGE atomic_compare_exchange_strong
#include "retry.c"
