/*
 * suppress.h - what a command does with suppressions, besides asking them: the detector, which asks
 * them too (suppressions.h), has no JSON library.
 */
#ifndef SM_FINDINGS_SUPPRESS_H
#define SM_FINDINGS_SUPPRESS_H

#include <jansson.h>

#include "findings/suppressions.h"
#include "target/outcome.h"

/* Does a line about its family match this failure? */
bool sm_suppressions_failure(struct sm_suppressions *list, const struct sm_failure *failure);
/* Names on standard error those about races that matched nothing. */
void sm_suppressions_show_unused(const struct sm_suppressions *list);
/* Those about races: [{"pattern","line","reason","used"}]. */
json_t *sm_suppressions_json(const struct sm_suppressions *list);

#endif
