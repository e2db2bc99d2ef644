// violation: fails the assertion
#define WRONG
#include "predicate.cpp"
