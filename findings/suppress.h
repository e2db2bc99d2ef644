/*
 * suppress.h - what only commands do with suppressions. The detector also matches them
 * (suppressions.h), but has no JSON library.
 */
#ifndef SM_FINDINGS_SUPPRESS_H
#define SM_FINDINGS_SUPPRESS_H

#include <jansson.h>

#include "findings/suppressions.h"
#include "target/outcome.h"

/* Does a line of its family match this failure? */
bool sm_suppressions_failure(struct sm_suppressions *list, const struct sm_failure *failure);
/* Lists on standard error those of races that matched nothing. */
void sm_suppressions_show_unused(const struct sm_suppressions *list);
/* Those of races: [{"pattern","line","reason","used"}]. */
json_t *sm_suppressions_json(const struct sm_suppressions *list);

#endif
