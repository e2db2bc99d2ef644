/*
 * notes.c - see notes.h.
 */
#include "target/notes.h"

static bool is_among(const struct sm_control *control, uint32_t n, uint32_t site)
{
    for (uint32_t i = 0; i < n; i++)
        if (control->unknown_asm[i] == site)
            return true;
    return false;
}

/* Was it already reported: in an earlier block, or earlier in block i? */
static bool is_told(const struct sm_control *const *controls, size_t i, uint32_t j)
{
    uint32_t site = controls[i]->unknown_asm[j];
    for (size_t k = 0; k < i; k++)
        if (is_among(controls[k], controls[k]->n_unknown_asm, site))
            return true;
    return is_among(controls[i], j, site);
}

static void tell(const struct sm_site_row *row, FILE *to)
{
    fprintf(to,
            "note: %s:%u: %s is not understood: it counts as an access to its memory operands, and "
            "as ordered with every thread, so races across it are not seen\n",
            row->file, row->line, row->size ? "this atomic access" : "this inline assembly");
}

void sm_notes_unknown_asm(const struct sm_control *const *controls, size_t n,
                          const struct sm_sites *sites, FILE *to)
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < controls[i]->n_unknown_asm; j++) {
            const struct sm_site_row *row = sm_sites_find(sites, controls[i]->unknown_asm[j]);
            if (row && !is_told(controls, i, j))
                tell(row, to);
        }
}
