/*
 * states.h - a set of states, and the open ones among them, which are still to be explored.
 *
 * Of an explored state only its hash (128 bits), its parent and the steps that led to it are kept:
 * one, and the independent ones after it (search.h).
 */
#ifndef SM_VERIFY_STATES_STATES_H
#define SM_VERIFY_STATES_STATES_H

#include "verify/states/machine.h"

#define SM_NO_STATE UINT32_MAX

struct sm_state {
    uint64_t hash[2];
    uint32_t parent;
    uint32_t first, n; /* steps */
    uint32_t depth;    /* steps from the first state */
};

struct sm_open {
    uint32_t number;
    size_t size;
    struct sm_machine *machine;
};

struct sm_states {
    struct sm_state *all;
    uint32_t n, capacity;
    struct sm_move *steps;
    uint32_t n_steps, step_capacity;
    uint32_t *slots; /* number + 1 */
    uint32_t n_slots;
    struct sm_open *open; /* a stack */
    uint32_t n_open, open_capacity;
    bool in_order;  /* it is a queue: the first that is open is taken first, */
    uint32_t taken; /* after so many */
};

void sm_states_init(struct sm_states *states);
void sm_states_clear(struct sm_states *states);
/* `n` steps from `parent` lead to the state. Returns its number. A new one is open. */
uint32_t sm_states_add(struct sm_states *states, const struct sm_machine *machine, uint32_t parent,
                       const struct sm_move *steps, uint32_t n);
/* Takes the state that was opened last; false: none is open. */
bool sm_states_take(struct sm_states *states, struct sm_machine *machine, uint32_t *number);
/* Opens it again. */
void sm_states_put_back(struct sm_states *states, const struct sm_machine *machine,
                        uint32_t number);
/* The steps from the first state to this one; returns how many. */
uint32_t sm_states_path(const struct sm_states *states, uint32_t number, struct sm_move **steps,
                        uint32_t *capacity);

#endif
