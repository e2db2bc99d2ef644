/*
 * edges.h - the graph of states: which state leads to which, by a step of which thread.
 */
#ifndef SM_VERIFY_STATES_EDGES_H
#define SM_VERIFY_STATES_EDGES_H

#include <stdbool.h>
#include <stdint.h>

struct sm_edge {
    uint32_t from, to;
    uint8_t thread;
    bool goes_on; /* the thread does not wait */
};

struct sm_edges {
    struct sm_edge *at;
    uint32_t n, capacity;
};

/* A list of states. */
struct sm_numbers {
    uint32_t *at, n, capacity;
};

void sm_edges_start(struct sm_edges *edges); /* once */
void sm_edges_add(struct sm_edges *edges, const struct sm_edge *edge);

struct sm_numbers sm_numbers_new(void);
void sm_numbers_add(struct sm_numbers *to, uint32_t number);
void sm_numbers_free(struct sm_numbers *numbers);

/* For each of `n_states` states: can it reach one of these? The caller returns the block, of
   `n_states` bytes, to the pool. */
uint8_t *sm_edges_origins(const struct sm_edges *edges, uint32_t n_states,
                          const struct sm_numbers *of);
/* A state that `from` leads to and that is not `seen`; SM_NO_STATE: none. */
uint32_t sm_edges_next(const struct sm_edges *edges, uint32_t from, const uint8_t *seen);

#endif
