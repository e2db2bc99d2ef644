/*
 * cells.h - divides memory into runs of bytes that no access divides.
 *
 * First all ranges are marked; then cells are created in trace order. After a range is freed,
 * later accesses get new cells, in whole granules of 8 bytes, as in the runtime. Ranges are
 * within one granule (checked by execution.c).
 */
#ifndef SM_CHECKER_CELLS_H
#define SM_CHECKER_CELLS_H

#include "checker/vector.h"

struct sm_granule {
    uint64_t number;   /* address / 8 */
    uint8_t starts;    /* a bit for each byte at which a cell starts */
    uint32_t cells[8]; /* by first byte; SM_ABSENT until used */
};

struct sm_access_cell {
    uint64_t addr;
    uint8_t size;
};

struct sm_cells {
    struct sm_index index; /* granule number to position in granules */
    SM_VECTOR(struct sm_granule) granules;
    SM_VECTOR(struct sm_access_cell) all;
};

void sm_cells_mark(struct sm_cells *cells, uint64_t addr, unsigned size);
/* Writes the cells of the range to `to` and returns how many there are (1 to 8). */
unsigned sm_cells_get(struct sm_cells *cells, uint64_t addr, unsigned size, uint32_t to[8]);
void sm_cells_free_range(struct sm_cells *cells, uint64_t addr, uint64_t size);
void sm_cells_destroy(struct sm_cells *cells);

#endif
