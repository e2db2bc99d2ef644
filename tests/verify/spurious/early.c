// executions: 6
// The twin of early_false.c that signals before it gives back the mutex. The wait is explored: of
// two orders of the first sections each has one execution without a spurious wake-up, one in which
// it comes before the flag is set, and one in which it comes after.
#define RIGHT
#include "early_false.c"
