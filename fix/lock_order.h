/*
 * lock_order.h - two locks that the sources take in both orders, and the patch for one order.
 *
 * A swap cannot be assumed at run time: the patched program is built and judged. Only locks that a
 * function takes itself are seen: `lock(&a); ... lock(&b);`.
 */
#ifndef SM_FIX_LOCK_ORDER_H
#define SM_FIX_LOCK_ORDER_H

#include "fix/patch.h"
#include "fix/text.h"
#include "fix/tree.h"

/* A function that takes `inner` while it holds `outer`, where another one does the opposite. */
struct sm_inversion {
    char *outer, *inner, *function;
    char *path;
    struct sm_span outer_at, inner_at; /* the arguments of the two calls */
};

struct sm_inversions {
    struct sm_inversion *items;
    size_t n;
};

void sm_inversions_find(struct sm_inversions *inversions, const struct sm_trees *trees);
void sm_inversions_free(struct sm_inversions *inversions);
/* Swaps the two calls of the function. */
bool sm_inversion_patch(const struct sm_inversion *inversion, const struct sm_source_units *units,
                        struct sm_patch *patch);

#endif
