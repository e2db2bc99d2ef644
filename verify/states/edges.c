#include "verify/states/edges.h"

#include <string.h>

#include "verify/pool.h"
#include "verify/states/states.h"

enum { FIRST_EDGES = 64 };

void sm_edges_start(struct sm_edges *edges)
{
    *edges = (struct sm_edges){sm_pool_get(FIRST_EDGES * sizeof *edges->at), 0, FIRST_EDGES};
}

void sm_edges_add(struct sm_edges *edges, const struct sm_edge *edge)
{
    edges->at = sm_pool_room(edges->at, &edges->capacity, edges->n, sizeof *edges->at);
    edges->at[edges->n++] = *edge;
}

struct sm_numbers sm_numbers_new(void)
{
    return (struct sm_numbers){sm_pool_get(FIRST_EDGES * sizeof(uint32_t)), 0, FIRST_EDGES};
}

void sm_numbers_add(struct sm_numbers *to, uint32_t number)
{
    to->at = sm_pool_room(to->at, &to->capacity, to->n, sizeof *to->at);
    to->at[to->n++] = number;
}

void sm_numbers_free(struct sm_numbers *numbers)
{
    sm_pool_put(numbers->at, numbers->capacity * sizeof *numbers->at);
}

/* Most edges lead to a later state, so most is known after one pass from the last edge on. */
uint8_t *sm_edges_origins(const struct sm_edges *edges, uint32_t n_states,
                          const struct sm_numbers *of)
{
    uint8_t *reach = memset(sm_pool_get(n_states), 0, n_states);
    for (uint32_t i = 0; i < of->n; i++)
        reach[of->at[i]] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = edges->n; i-- > 0;) {
            const struct sm_edge *edge = &edges->at[i];
            more |= reach[edge->to] && !reach[edge->from];
            reach[edge->from] |= reach[edge->to];
        }
    }
    return reach;
}

uint32_t sm_edges_next(const struct sm_edges *edges, uint32_t from, const uint8_t *seen)
{
    for (uint32_t i = 0; i < edges->n; i++)
        if (edges->at[i].from == from && !seen[edges->at[i].to])
            return edges->at[i].to;
    return SM_NO_STATE;
}
