/* sarif.h - the parts of a SARIF result. Only for the sarif*.c files. */
#ifndef SM_REPORT_SARIF_H
#define SM_REPORT_SARIF_H

#include "report/results.h"

json_t *sm_sarif_artifact(const char *file);
/* Takes ownership of the message, which may be NULL. */
json_t *sm_sarif_location(const char *file, uint32_t line, uint32_t column, json_t *message);
json_t *sm_sarif_stack(const struct sm_access *access);
/* Of the last event that has one; or NULL. */
json_t *sm_sarif_last_place(const struct sm_witness *witness);
/* For each thread the steps that matter, the last 1000 of them; NULL if there are none. */
json_t *sm_sarif_code_flows(const struct sm_witness *witness);
/* NULL if there is no patch. */
json_t *sm_sarif_fixes(const struct sm_cure_found *cure);

#endif
