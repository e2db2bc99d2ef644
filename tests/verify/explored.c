#include "explored.h"

#include <stdio.h>

#include "../../driver/input.h"

bool explore_litmus(struct sm_target *target, bool *opened, char **arguments, uint64_t model,
                    bool prescient)
{
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    struct sm_error error;
    struct sm_ended ended;
    struct sm_buffer no_input = {0};
    int input = sm_input_from(&no_input, &error);
    *opened = input >= 0 && sm_target_open(target, arguments[0], arguments, input, -1, -1, &error);
    if (!*opened)
        return false;
    target->shared.control->watch_mode = SM_WATCH_ALL;
    options.model = model;
    options.prescient = prescient;
    options.explore = SM_EXPLORE_EVERYTHING;
    const struct sm_control *control = target->shared.control;
    bool ok = sm_target_run(target, &options, &ended, &error) &&
              control->explored.state == SM_EXPLORED_DONE && !control->explored.cut;
    if (!ok)
        printf("%s: not explored: %s\n", arguments[1], control->detail);
    return ok;
}
