/*
 * detect.h - what the two ways to detect races have in common.
 *
 * A program of the detect flavour runs natively, as it would by itself, and writes what it
 * finds to a file in memory (abi/detect.h). A program for controlled execution runs under
 * the race analysis of the runtime, each trial with a schedule of its own. Either way a race
 * is an object of the contract (docs/detect.md), and races of several executions are merged:
 * two are the same if variable and places are.
 */
#ifndef SM_COMMANDS_DETECT_H
#define SM_COMMANDS_DETECT_H

#include <jansson.h>
#include <limits.h>

#include "base/options.h"
#include "findings/suppress.h"

struct sm_detect {
    struct sm_settings settings;
    struct sm_suppressions suppressions;
    char path[PATH_MAX];
    json_t *races; /* of the contract */
    json_t *notes;
    uint64_t executions, suppressed;
    double started;
};

/* A race that was seen `count` times, unless it is suppressed. */
void sm_detect_add(struct sm_detect *detect, json_t *race, json_int_t count);

double sm_detect_seconds(const struct sm_detect *detect);

/* Each makes the executions that the settings ask for. */
bool sm_detect_native(struct sm_detect *detect, struct sm_error *error);
bool sm_detect_controlled(struct sm_detect *detect, struct sm_error *error);

#endif
