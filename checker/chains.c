#include "checker/chains.h"

#include <stdlib.h>

/* Two stable counting sorts: by thread, then by cell. */
static uint32_t *sort(const uint32_t *items, uint32_t n, const uint32_t *keys, uint32_t n_keys)
{
    uint32_t *start = sm_check_alloc(n_keys + 1ul, sizeof *start);
    uint32_t *sorted = sm_check_alloc(n, sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        start[keys[items[i]] + 1]++;
    for (uint32_t k = 0; k < n_keys; k++)
        start[k + 1] += start[k];
    for (uint32_t i = 0; i < n; i++)
        sorted[start[keys[items[i]]]++] = items[i];
    free(start);
    return sorted;
}

static uint32_t select_parts(const struct sm_execution *x, uint8_t is, uint32_t *items,
                             uint32_t *threads, uint32_t *cells)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < x->parts.n; p++) {
        const struct sm_checked_event *event = sm_event_of_part(x, p);
        threads[p] = event->thread;
        cells[p] = x->parts.at[p].cell;
        if (event->is & is)
            items[n++] = p;
    }
    return n;
}

static void divide(const struct sm_execution *x, struct sm_chains *chains, uint32_t n,
                   const uint32_t *threads, const uint32_t *cells)
{
    uint32_t n_chains = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = chains->parts[i], before = i ? chains->parts[i - 1] : p;
        chains->position[p] = i;
        if (i == 0 || cells[p] != cells[before] || threads[p] != threads[before]) {
            chains->chains[n_chains++] = (struct sm_chain){threads[p], i, 0};
            chains->cell_first[cells[p] + 1]++;
        }
        chains->chains[n_chains - 1].n++;
    }
    for (uint32_t c = 0; c < x->n_cells; c++)
        chains->cell_first[c + 1] += chains->cell_first[c];
}

void sm_chains_build(const struct sm_execution *x, uint8_t is, struct sm_chains *chains)
{
    uint32_t *items = sm_check_alloc(x->parts.n, sizeof *items);
    uint32_t *threads = sm_check_alloc(x->parts.n, sizeof *threads);
    uint32_t *cells = sm_check_alloc(x->parts.n, sizeof *cells);
    uint32_t n = select_parts(x, is, items, threads, cells);
    uint32_t *by_thread = sort(items, n, threads, x->n_threads);
    chains->parts = sort(by_thread, n, cells, x->n_cells);
    chains->chains = sm_check_alloc(n, sizeof *chains->chains);
    chains->cell_first = sm_check_alloc(x->n_cells + 1ul, sizeof *chains->cell_first);
    chains->position = sm_check_alloc(x->parts.n, sizeof *chains->position);
    for (uint32_t p = 0; p < x->parts.n; p++)
        chains->position[p] = SM_NONE;
    divide(x, chains, n, threads, cells);
    free(items);
    free(threads);
    free(cells);
    free(by_thread);
}

void sm_chains_free(struct sm_chains *chains)
{
    free(chains->chains);
    free(chains->parts);
    free(chains->cell_first);
    free(chains->position);
}

uint32_t sm_chain_last(const struct sm_execution *x, const struct sm_chains *chains,
                       const struct sm_chain *chain, uint32_t event)
{
    const struct sm_checked_event *e = &x->events.at[event];
    uint32_t until = sm_knows(x, e, chain->thread) + (chain->thread != e->thread);
    uint32_t low = 0, high = chain->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sm_event_of_part(x, chains->parts[chain->first + middle])->time < until)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? chains->parts[chain->first + low - 1] : SM_NONE;
}
