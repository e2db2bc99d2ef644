// violation: fails the assertion
// models: sc c11
// The twin of crowd.c in which only the hundredth thread fails.
#define WRONG 1
#include "crowd.c"
