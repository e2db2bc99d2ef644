/*
 * atomicset.h - the analysis of atomic-set serializability of controlled executions.
 *
 * An execution is serializable for a set of locations if its units of work could have run in
 * sequence with the same conflicts between their accesses to the set. It is not if it contains one
 * of the patterns of abi/patterns.def. The parts:
 *
 *   sets.h       which set and location a byte belongs to
 *   units.h      which unit of work a thread is in
 *   tuples.h     which patterns they complete, by automata.h
 *
 * and here: what counts as an access, and reports for the driver. Atomic accesses do not count:
 * they are synchronisation. The analysis has no influence on the execution, so the witness of a
 * violation is recorded without it.
 */
#ifndef SM_ANALYSIS_ATOMICSET_H
#define SM_ANALYSIS_ATOMICSET_H

#include "runtime/analysis.h"

extern const struct sm_analysis sm_analysis_atomicset;

#endif
