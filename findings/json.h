/* json.h - the pieces that the JSON of several commands has in common. */
#ifndef SM_FINDINGS_JSON_H
#define SM_FINDINGS_JSON_H

#include <jansson.h>

#include "base/status.h"
#include "findings/race.h"
#include "target/outcome.h"

/* Bytes that are not UTF-8 become U+FFFD. NULL gives null. */
json_t *sm_json_text(const char *string);
json_t *sm_json_place(const struct sm_place *place); /* null if unknown */
json_t *sm_json_stack(const struct sm_stack *stack);
json_t *sm_json_failure(const struct sm_failure *failure); /* null if there is none */
json_t *sm_json_failures(const struct sm_failure *failures, size_t n);
json_t *sm_json_access(const struct sm_access *access); /* without value, locks and creation */
json_t *sm_json_race(const struct sm_data_race *race);
json_t *sm_json_lines(const struct sm_list *lines);
json_t *sm_json_target(char *const *target);
/* To a file, or to standard output if path is "-". */
bool sm_json_write(const json_t *json, const char *path, struct sm_error *error);

#endif
