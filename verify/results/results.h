/* results.h - how results reach the driver: shared by the two explorers (explore.c, paths.c). */
#ifndef SM_VERIFY_RESULTS_RESULTS_H
#define SM_VERIFY_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/control.h"

/* How an execution ended, as the control block has it. */
struct sm_ending {
    uint32_t end;
    int32_t status;
    uint32_t thread, site, depth;
    uint64_t stack[SM_STACK_DEPTH];
    char detail[SM_DETAIL_SIZE];
    struct sm_harm harm; /* of SM_END_HARM */
};
void sm_ending_keep(struct sm_ending *to);
void sm_ending_put(const struct sm_ending *from);

/* Identifies how the last execution ended: equal for the same failure. */
uint64_t sm_explore_signature(void);
/* No violation with this signature was shown before; it is marked as shown. */
bool sm_explore_is_new(void);
/* If the outcome last added is forbidden (--expect) or an example (--examples): says so in the
   control block. */
bool sm_explore_say_remark(void);
/* Waits until the driver has taken the control block and the trace. */
void sm_explore_show_violation(void);
/* Results are final. Returns false: there is no further execution. */
bool sm_explore_finish(void);
/* From now on: SM_EXPLORE_SCRIPT, or SM_EXPLORE_ALL. */
void sm_explore_record(bool on);

#endif
