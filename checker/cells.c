#include "checker/cells.h"

#include <stdlib.h>
#include <string.h>

static struct sm_granule *granule_at(struct sm_cells *cells, uint64_t number)
{
    uint32_t i = sm_index_get(&cells->index, number);
    if (i == SM_ABSENT) {
        struct sm_granule fresh = {.number = number, .starts = 1};
        memset(fresh.cells, 0xff, sizeof fresh.cells);
        i = (uint32_t)cells->granules.n;
        SM_PUSH(&cells->granules, fresh);
        sm_index_put(&cells->index, number, i);
    }
    return &cells->granules.at[i];
}

void sm_cells_mark(struct sm_cells *cells, uint64_t addr, unsigned size)
{
    unsigned first = addr % 8, end = first + size;
    struct sm_granule *granule = granule_at(cells, addr / 8);
    granule->starts |= (uint8_t)(1u << first);
    if (end < 8)
        granule->starts |= (uint8_t)(1u << end);
}

static uint32_t new_cell(struct sm_cells *cells, const struct sm_granule *granule, unsigned first)
{
    unsigned end = first + 1;
    while (end < 8 && !(granule->starts >> end & 1))
        end++;
    struct sm_access_cell cell = {granule->number * 8 + first, (uint8_t)(end - first)};
    SM_PUSH(&cells->all, cell);
    return (uint32_t)cells->all.n - 1;
}

unsigned sm_cells_get(struct sm_cells *cells, uint64_t addr, unsigned size, uint32_t to[8])
{
    struct sm_granule *granule = granule_at(cells, addr / 8);
    unsigned n = 0;
    for (unsigned i = addr % 8; i < addr % 8 + size; i++) {
        if (!(granule->starts >> i & 1))
            continue;
        if (granule->cells[i] == SM_ABSENT)
            granule->cells[i] = new_cell(cells, granule, i);
        to[n++] = granule->cells[i];
    }
    return n;
}

static void forget(struct sm_granule *granule)
{
    memset(granule->cells, 0xff, sizeof granule->cells);
}

void sm_cells_free_range(struct sm_cells *cells, uint64_t addr, uint64_t size)
{
    uint64_t first = addr / 8;
    uint64_t n = size / 8 + (addr % 8 + size % 8 + 7) / 8;
    if (n > cells->granules.n) {
        for (size_t i = 0; i < cells->granules.n; i++)
            if (cells->granules.at[i].number - first < n)
                forget(&cells->granules.at[i]);
        return;
    }
    for (uint64_t k = 0; k < n; k++) {
        uint32_t i = sm_index_get(&cells->index, first + k);
        if (i != SM_ABSENT)
            forget(&cells->granules.at[i]);
    }
}

void sm_cells_destroy(struct sm_cells *cells)
{
    free(cells->index.slots);
    free(cells->granules.at);
    free(cells->all.at);
}
