/*
 * claim.h - ranges that a thread marks with ordinary stores.
 *
 * A locked instruction for each granule is most of what a long range costs (2.8 ns; a store 0.6).
 * So a thread claims the range first, which is one locked instruction, marks its granules with
 * stores, and gives the claim up. What another thread does to a granule meanwhile may be
 * overwritten, and neither need have found the mark of the other; therefore every thread that has
 * set a mark (by a locked instruction) looks for a claim on it. If there is one, it waits until the
 * claim is over, takes its mark back and makes the access again: now it finds what the claimant
 * did. A thread that finds no claim set its mark before the claimant looked at the granule, because
 * both used locked instructions. Claims do not overlap.
 *
 * A claimant takes no lock and calls nothing, so waiting is short, unless a signal handler runs in
 * between, whose accesses are not looked at. One that does not return (claim.c, WAIT_TURNS) loses
 * its thread the claim; then an access of the waiting thread may be overwritten, and a race missed.
 */
#ifndef SM_NATIVE_CLAIM_H
#define SM_NATIVE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "native/cell.h"

/* One for each lane (paths.h), of whichever thread of that lane came first. A claim is the first
   line of data, counted in 64 bytes of the folded address, and how many lines. 0: none. */
#define SM_CLAIM_BITS 28
struct sm_claims {
    union {
        uint8_t active[SM_MARKS]; /* set after the claim, reset before it */
        uint32_t any;             /* all that most accesses look at */
    };
    uint64_t claim[SM_MARKS];
} __attribute__((aligned(64)));
extern struct sm_claims sm_claims;

static inline uint64_t sm_line_of(const struct sm_cell *cell)
{
    return ((uintptr_t)cell - SM_CELLS) / sizeof *cell / 8;
}

static inline uint64_t sm_claim_of(const struct sm_cell *first, const struct sm_cell *last)
{
    return sm_line_of(first) << SM_CLAIM_BITS | (sm_line_of(last) - sm_line_of(first) + 1);
}
_Static_assert(SM_FOLD >> 6 >> (64 - SM_CLAIM_BITS) == 0, "room for the first line");

static inline bool sm_claims_overlap(uint64_t one, uint64_t other)
{
    uint64_t mask = (1ul << SM_CLAIM_BITS) - 1;
    uint64_t first = one >> SM_CLAIM_BITS, start = other >> SM_CLAIM_BITS;
    return first < start + (other & mask) && start < first + (one & mask);
}

static inline uint64_t sm_claim_load(unsigned lane)
{
    /* acquire: who finds that a claim is over finds the marks */
    return __atomic_load_n(&sm_claims.claim[lane], __ATOMIC_ACQUIRE);
}

/* After a locked instruction on the cell: is it claimed? */
static inline __attribute__((always_inline)) bool sm_is_claimed(const struct sm_cell *cell)
{
    uint64_t mine = sm_claim_of(cell, cell);
    /* acquire: the claims that are active are found */
    if (__builtin_expect(__atomic_load_n(&sm_claims.any, __ATOMIC_ACQUIRE) == 0, 1))
        return false;
    for (unsigned i = 0; i < SM_MARKS; i++)
        if (sm_claims_overlap(sm_claim_load(i), mine))
            return true;
    return false;
}

/* False if another thread has the lane's place, or keeps some of the cells claimed. */
bool sm_claim_begin(unsigned lane, const struct sm_cell *first, const struct sm_cell *last);
void sm_claim_end(unsigned lane);
/* Until no claim that covers the cell now is left. */
void sm_claims_await(const struct sm_cell *cell);
#endif
