/*
 * jobs.c - verify by several processes: as many executions, and the same outcomes, as by one.
 *
 * Usage: verify-jobs PROGRAM. Every test of ../litmus/litmus.def, under one model after the other,
 * by 1, 2 and 4 processes. The first one hands over half of what it has after its first execution,
 * so that even a test of three executions is shared out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../driver/team.h"

/* What came of all parts; outcomes are added up by hash, so that their order does not matter. */
struct sum {
    struct sm_team team; /* first: its handlers get it */
    uint64_t executions, blocked, outcomes;
    unsigned parts;
    bool complete;
};

static uint64_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static bool add_part(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    struct sum *sum = (struct sum *)team;
    const struct sm_control *control = worker->shared.control;
    const char *at = (const char *)worker->shared.trace;
    (void)error;
    sum->parts++;
    sum->executions += control->executions;
    sum->blocked += control->explored.blocked;
    sum->complete &= control->explored.state == SM_EXPLORED_DONE && !control->explored.cut;
    for (uint32_t i = 0; i < control->explored.n_outcomes; i++) {
        struct sm_explored_outcome header;
        memcpy(&header, at, sizeof header);
        sum->outcomes += header.count * mix(sm_outcome_hash(at + sizeof header, header.size));
        at += (sizeof header + header.size + 7) & ~7ul;
    }
    return true;
}

static bool pass_by(struct sm_team *team, struct sm_target *worker, struct sm_error *error)
{
    (void)team;
    (void)worker;
    (void)error;
    return true;
}

static void clear(struct sm_team *team)
{
    struct sum *sum = (struct sum *)team;
    sum->executions = sum->blocked = sum->outcomes = 0;
    sum->complete = true;
}

static const struct sm_team_handlers handlers = {
    .violation = pass_by, .ended = add_part, .begin_again = clear};

static bool explore(struct sum *sum, const char *binary, const char *text, uint64_t model,
                    size_t jobs)
{
    struct sm_options options = {
#define SM_OPTION(type, name, default_value, help) .name = default_value,
#include "../../abi/options.def"
    };
    struct sm_settings settings = {.operands.n = 0};
    struct sm_error error = {0};
    sm_list_add(&settings.operands, binary);
    sm_list_add(&settings.operands, text);
    *sum = (struct sum){.complete = true};
    sum->team.handlers = &handlers;
    sum->team.options = options;
    sum->team.options.model = model;
    sum->team.options.explore = SM_EXPLORE_EVERYTHING;
    if (jobs > 1)
        sum->team.begin.parcel = SM_PARCEL_WANTED;
    bool ok = sm_team_open(&sum->team, &settings, jobs, &error) &&
              sm_team_explore(&sum->team, &error) && sum->complete && !sum->team.cut;
    if (!ok)
        printf("%s: not explored: %s\n", text, error.text);
    sm_team_close(&sum->team);
    sm_list_free(&settings.operands);
    return ok;
}

static bool agree(const struct sum *a, const struct sum *b)
{
    return a->executions == b->executions && a->blocked == b->blocked && a->outcomes == b->outcomes;
}

/* True: it was shared out, and nothing else changed. */
static bool compare(const char *binary, const char *text, uint64_t model, int *failed)
{
    struct sum one, several;
    bool shared = false;
    if (!explore(&one, binary, text, model, 1))
        ++*failed;
    for (size_t jobs = 2; jobs <= 4; jobs *= 2) {
        bool ok = explore(&several, binary, text, model, jobs);
        shared |= several.parts > 1;
        if (ok && agree(&one, &several))
            continue;
        printf("'%s', model %lu: %lu executions, %lu blocked; by %zu processes %lu, %lu\n", text,
               (unsigned long)model, (unsigned long)one.executions, (unsigned long)one.blocked,
               jobs, (unsigned long)several.executions, (unsigned long)several.blocked);
        ++*failed;
    }
    return shared;
}

int main(int argc, char **argv)
{
    static const char *const tests[] = {
#define SM_LITMUS(name, program, outcome, allowed) program,
#include "../litmus/litmus.def"
    };
    int failed = 0, shared = 0, n = (int)(sizeof tests / sizeof *tests);
    if (argc != 2) {
        fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < n; i++)
        shared += compare(argv[1], tests[i], SM_MODEL_SC + (uint64_t)i % 4, &failed);
    printf("%d tests, %d shared out, %d disagreements\n", n, shared, failed);
    return failed != 0 || shared < n / 3;
}
