// race: last
// executions: 2
// models: sc
// The twin of crowd_apart.c without an atomic.
#define AT(type) type
#include "crowd_apart.c"
