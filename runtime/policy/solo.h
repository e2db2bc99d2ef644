/*
 * solo.h - runs one thread alone, from a record of a replayed execution on.
 *
 * For certificates of future values (hunt/certify.h): up to the read the choices are those of the
 * recording; from there on only the thread of the store runs, and a thread that it joins. It sees
 * the newest stores (seed 0), or random older ones, but no future values. If it cannot continue
 * others run, which the driver detects.
 */
#ifndef SM_RUNTIME_POLICY_SOLO_H
#define SM_RUNTIME_POLICY_SOLO_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/choice.h"

void sm_solo_start(void);
/* The read has been reached. */
bool sm_solo_on(void);
uint32_t sm_solo_answer(enum sm_purpose purpose, uint32_t n, const void *context);

#endif
