#include "verify/states/certify.h"

#include <string.h>

#include "verify/pool.h"
#include "verify/states/machine_parts.h"
#include "verify/states/states.h"

/* A thread of a test running alone has few continuations; more than this is a loop that writes. */
enum { FIRST_STEPS = 64, MAX_STATES = 20000 };

static struct certify {
    struct sm_solo solo;
    struct sm_states states;
    struct sm_machine begin, machine, next;
    const struct sm_futures *futures;
    uint32_t number;
} *certify;

void sm_certify_start(void)
{
    certify = sm_pool_get(sizeof *certify);
    memset(certify, 0, sizeof *certify);
    certify->solo.step_capacity = certify->solo.write_capacity = FIRST_STEPS;
    certify->solo.steps = sm_pool_get(FIRST_STEPS * sizeof *certify->solo.steps);
    certify->solo.writes = sm_pool_get(FIRST_STEPS * sizeof *certify->solo.writes);
    sm_states_init(&certify->states);
}

struct sm_solo *sm_certify_last(void)
{
    return &certify->solo;
}

static void go(void *context, const struct sm_move *step)
{
    (void)context;
    sm_machine_copy(&certify->next, &certify->machine);
    if (sm_machine_go(&certify->next, step))
        sm_states_add(&certify->states, &certify->next, certify->number, step, 1);
}

/* Explores every move of the thread, or of the one that it joins. */
static bool expand(uint32_t thread)
{
    for (;;) {
        if (!sm_machine_ways(&certify->machine, thread, certify->futures, go, NULL)) {
            certify->solo.unknown = thread;
            return false;
        }
        const struct sm_local *node = sm_local_at(certify->machine.threads[thread].node);
        if (node->kind != SM_LOCAL_JOIN || sm_machine_is_independent(&certify->machine, thread))
            return true;
        thread = (uint32_t)node->value;
    }
}

static bool was_there(const struct sm_written *write)
{
    for (uint16_t i = 0; i < certify->begin.n_writes; i++) {
        const struct sm_written *old = &certify->begin.writes[i];
        if (old->loc == write->loc && old->thread == write->thread && old->nth == write->nth)
            return true;
    }
    return false;
}

static bool is_listed(const struct sm_future *future)
{
    const struct sm_solo *solo = &certify->solo;
    for (uint32_t i = 0; i < solo->n_writes; i++)
        if (solo->writes[i].loc == future->loc && solo->writes[i].value == future->value &&
            solo->writes[i].name.nth == future->name.nth &&
            (solo->writes[i].needs & ~future->needs) == 0)
            return true;
    return false;
}

static void list(const struct sm_future *future)
{
    struct sm_solo *solo = &certify->solo;
    if (is_listed(future))
        return;
    solo->writes =
        sm_pool_room(solo->writes, &solo->write_capacity, solo->n_writes, sizeof *solo->writes);
    solo->writes[solo->n_writes++] = *future;
}

/* The future writes that were read on this path. */
static uint64_t needs(void)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < certify->futures->n; i++) {
        const struct sm_future *future = &certify->futures->at[i];
        uint16_t promise = sm_machine_find_promise(&certify->machine, future->loc, future->name);
        if (promise != SM_MACHINE_WRITES && certify->machine.writes[promise].value == future->value)
            set |= 1ul << i | future->needs;
    }
    return set;
}

static void list_writes(uint32_t thread)
{
    uint64_t needed = needs();
    for (uint16_t i = 0; i < certify->machine.n_writes; i++) {
        const struct sm_written *write = &certify->machine.writes[i];
        struct sm_future future = {write->loc, {(uint8_t)thread, write->nth}, write->value, needed};
        if (write->thread == thread && !was_there(write))
            list(&future);
    }
}

bool sm_certify(const struct sm_machine *machine, uint32_t thread, const struct sm_futures *futures)
{
    struct sm_states *states = &certify->states;
    sm_states_clear(states);
    certify->solo.n_writes = 0;
    certify->futures = futures;
    sm_machine_copy(&certify->begin, machine);
    sm_machine_forget_promises(&certify->begin);
    sm_states_add(states, &certify->begin, SM_NO_STATE, NULL, 0);
    while (sm_states_take(states, &certify->machine, &certify->number)) {
        list_writes(thread);
        if (states->n > MAX_STATES) {
            certify->solo.cut = true;
            return true;
        }
        if (!expand(thread)) {
            certify->solo.n_steps = sm_states_path(states, certify->number, &certify->solo.steps,
                                                   &certify->solo.step_capacity);
            return false;
        }
    }
    return true;
}
