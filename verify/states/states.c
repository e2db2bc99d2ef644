#include "verify/states/states.h"

#include <string.h>

#include "verify/pool.h"

enum { FIRST_STATES = 64 };

void sm_states_init(struct sm_states *states)
{
    *states = (struct sm_states){.capacity = FIRST_STATES,
                                 .step_capacity = FIRST_STATES,
                                 .open_capacity = FIRST_STATES,
                                 .n_slots = 2 * FIRST_STATES};
    states->steps = sm_pool_get(FIRST_STATES * sizeof *states->steps);
    states->all = sm_pool_get(FIRST_STATES * sizeof *states->all);
    states->open = sm_pool_get(FIRST_STATES * sizeof *states->open);
    states->slots = sm_pool_get(states->n_slots * sizeof *states->slots);
    memset(states->slots, 0, states->n_slots * sizeof *states->slots);
}

void sm_states_clear(struct sm_states *states)
{
    while (states->n_open > states->taken) {
        struct sm_open *open = &states->open[--states->n_open];
        sm_pool_put(open->machine, open->size);
    }
    states->n_open = states->taken = 0;
    /* One by one: the table may have grown for a larger set than usual. */
    for (uint32_t number = 0; number < states->n; number++) {
        uint32_t i = (uint32_t)states->all[number].hash[0] & (states->n_slots - 1);
        while (states->slots[i] != number + 1)
            i = (i + 1) & (states->n_slots - 1);
        states->slots[i] = 0;
    }
    states->n = states->n_steps = 0;
}

static uint32_t *slot(struct sm_states *states, const uint64_t hash[2])
{
    uint32_t i = (uint32_t)hash[0] & (states->n_slots - 1);
    while (states->slots[i] &&
           memcmp(states->all[states->slots[i] - 1].hash, hash, sizeof states->all->hash) != 0)
        i = (i + 1) & (states->n_slots - 1);
    return &states->slots[i];
}

static void grow(struct sm_states *states)
{
    size_t old = states->n_slots * sizeof *states->slots;
    states->all = sm_pool_double(states->all, states->capacity * sizeof *states->all);
    states->capacity *= 2;
    sm_pool_put(states->slots, old);
    states->n_slots *= 2;
    states->slots = sm_pool_get(2 * old);
    memset(states->slots, 0, 2 * old);
    for (uint32_t i = 0; i < states->n; i++)
        *slot(states, states->all[i].hash) = i + 1;
}

void sm_states_put_back(struct sm_states *states, const struct sm_machine *machine, uint32_t number)
{
    states->open =
        sm_pool_room(states->open, &states->open_capacity, states->n_open, sizeof *states->open);
    size_t size = sm_machine_size(machine);
    struct sm_machine *copy = sm_pool_get(size);
    sm_machine_copy(copy, machine);
    states->open[states->n_open++] = (struct sm_open){number, size, copy};
}

static void append_steps(struct sm_states *states, const struct sm_move *steps, uint32_t n)
{
    states->steps = sm_pool_room(states->steps, &states->step_capacity, states->n_steps + n,
                                 sizeof *states->steps);
    memcpy(states->steps + states->n_steps, steps, n * sizeof *steps);
    states->n_steps += n;
}

uint32_t sm_states_add(struct sm_states *states, const struct sm_machine *machine, uint32_t parent,
                       const struct sm_move *steps, uint32_t n)
{
    uint64_t hash[2];
    sm_machine_hash(machine, hash);
    if (states->n == states->capacity)
        grow(states);
    uint32_t *at = slot(states, hash);
    if (*at)
        return *at - 1;
    uint32_t number = states->n++;
    *at = number + 1;
    uint32_t depth = parent == SM_NO_STATE ? 0 : states->all[parent].depth + n;
    states->all[number] = (struct sm_state){{hash[0], hash[1]}, parent, states->n_steps, n, depth};
    append_steps(states, steps, n);
    sm_states_put_back(states, machine, number);
    return number;
}

static void close_taken(struct sm_states *states)
{
    states->n_open -= states->taken;
    memmove(states->open, states->open + states->taken, states->n_open * sizeof *states->open);
    states->taken = 0;
}

static struct sm_open *next_open(struct sm_states *states)
{
    if (!states->in_order)
        return &states->open[--states->n_open];
    if (states->taken > states->n_open / 2)
        close_taken(states);
    return &states->open[states->taken++];
}

bool sm_states_take(struct sm_states *states, struct sm_machine *machine, uint32_t *number)
{
    if (states->n_open == states->taken)
        return false;
    struct sm_open *open = next_open(states);
    sm_machine_copy(machine, open->machine);
    *number = open->number;
    sm_pool_put(open->machine, open->size);
    return true;
}

uint32_t sm_states_path(const struct sm_states *states, uint32_t number, struct sm_move **steps,
                        uint32_t *capacity)
{
    uint32_t n = 0;
    for (uint32_t i = number; states->all[i].parent != SM_NO_STATE; i = states->all[i].parent)
        n += states->all[i].n;
    while (*capacity < n) {
        *steps = sm_pool_double(*steps, *capacity * sizeof **steps);
        *capacity *= 2;
    }
    uint32_t at = n;
    for (uint32_t i = number; at > 0; i = states->all[i].parent) {
        const struct sm_state *state = &states->all[i];
        at -= state->n;
        memcpy(*steps + at, states->steps + state->first, state->n * sizeof **steps);
    }
    return n;
}
