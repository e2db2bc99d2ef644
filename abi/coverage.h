/*
 * coverage.h - what an execution has exercised (option coverage), as keys in the control block.
 *
 * A key stands for a pair of places in the program; analysis/coverage.c has the two kinds.
 */
#ifndef SM_ABI_COVERAGE_H
#define SM_ABI_COVERAGE_H

#include <stdint.h>

#define SM_MAX_COVERED 1024
/* Set in a key of two places of synchronisation; otherwise a key is a store and a read that saw
   it. */
#define SM_COVERED_ORDER (1u << 31)

#endif
