/*
 * histories.h - the histories of symmetric threads that were checked (symmetry.h), as hashes. For
 * symmetry.c only. At most a million are kept (16 MB); then they are checked again.
 */
#ifndef SM_VERIFY_GRAPH_HISTORIES_H
#define SM_VERIFY_GRAPH_HISTORIES_H

#include <stdbool.h>
#include <stdint.h>

void sm_histories_start(void); /* once */
void sm_histories_clear(void);
bool sm_histories_have(uint64_t history);
void sm_histories_add(uint64_t history);

#endif
