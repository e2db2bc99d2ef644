/* parse.h - reads back the pieces of JSON that several commands have in common (json.h writes
   them). What is missing or of another type is taken as absent. */
#ifndef SM_FINDINGS_PARSE_H
#define SM_FINDINGS_PARSE_H

#include "findings/harm.h"
#include "findings/hunt.h"

const char *sm_parse_string(const json_t *object, const char *key); /* or NULL */
uint64_t sm_parse_number(const json_t *object, const char *key);
struct sm_failure sm_parse_failure(const json_t *json);
struct sm_access sm_parse_access(const json_t *json);
struct sm_data_race sm_parse_race(const json_t *json);
/* What sm_harm_print_json has printed, without its outermost braces. Texts are those of the JSON.
 */
struct sm_harm_report sm_parse_harm(const json_t *json);
void sm_harm_report_free(struct sm_harm_report *report);

#endif
