// violation: value == 3
// models: sc c11
// The twin of wait_for.cpp: it does not look whether the time was over.
#define WRONG
#include "wait_for.cpp"
