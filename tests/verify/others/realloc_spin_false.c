// violation: exit status 1
// models: c11
// race: count
// The twin of realloc_spin.c: the lock is released by a relaxed store.
#define WRONG
#include "realloc_spin.c"
