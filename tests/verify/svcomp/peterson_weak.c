// violation: __VERIFIER_error was called
// models: tso pso c11
// race: x
// Where stores are delayed both threads pass.
#include "peterson_sc.c"
