// race: node
// says: a race meets a loop that hides such failures
// models: sc
// Another thread stores between two iterations, which this hides: not complete.
#define RACED
#include "push.c"
