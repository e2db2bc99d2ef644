/*
 * claim.h - ranges that a thread marks with ordinary stores instead of locked instructions.
 *
 * A locked instruction for each granule is most of the cost of a long range (2.8 ns; a store 0.6).
 * So a thread claims the range first, which takes one locked instruction, marks its granules with
 * stores, and drops the claim. What another thread does to a granule meanwhile may be overwritten,
 * and neither may have seen the other's mark; therefore every thread that has set a mark checks for
 * a claim on it. If there is one, it waits until the claim is over, removes its mark and repeats
 * the access, which now finds the claimant's marks. If there is none, none has ended since the
 * granule was read, and the mark was set by a locked instruction, it was set before the claimant
 * read the granule. (A mark set by an ordinary store may still be in a store buffer: marks.h says
 * what that can miss.) Claims do not overlap.
 *
 * A claimant acquires no lock and calls nothing, so waits are short, unless a signal handler runs
 * in between, whose accesses are not checked. If that handler does not return (claim.c,
 * WAIT_TURNS), the waiting thread cancels the claim; an access of the waiting thread may then be
 * overwritten, and a race missed.
 */
#ifndef SM_NATIVE_CLAIM_H
#define SM_NATIVE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "native/cell.h"

/* One for each lane (paths.h), held by whichever thread of that lane came first. A claim is the
   number of the first cache line of data, in units of 64 bytes of the folded address, and the
   number of lines. 0: none. */
#define SM_CLAIM_BITS 28
struct sm_claims {
    union {
        uint16_t
            turns[SM_MARKS]; /* begun and ended; odd from after the claim until before its end */
        uint64_t all;        /* the only word that most accesses read */
    };
    uint64_t claim[SM_MARKS];
} __attribute__((aligned(64)));
extern struct sm_claims sm_claims;
#define SM_CLAIMS_ACTIVE 0x0001000100010001ul

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
    /* acquire: a thread that sees the end of a claim sees its marks */
    return __atomic_load_n(&sm_claims.claim[lane], __ATOMIC_ACQUIRE);
}

static inline uint64_t sm_claims_load(void)
{
    /* acquire: active claims are seen, and cells that are read later are no older */
    return __atomic_load_n(&sm_claims.all, __ATOMIC_ACQUIRE);
}

/* Is the cell claimed? For the program's registers in use: paths.h. */
__attribute__((preserve_all)) bool sm_claims_cover(const struct sm_cell *cell);

/* After a change of the cell: is it claimed? */
static inline __attribute__((always_inline)) bool sm_is_claimed(const struct sm_cell *cell)
{
    return __builtin_expect((sm_claims_load() & SM_CLAIMS_ACTIVE) != 0, 0) && sm_claims_cover(cell);
}

/* The same for a change by a locked instruction of a cell that was read after `before` was loaded:
   may a claimant have overwritten it, and ended its claim since? A thread that is stopped between
   the change and this question would otherwise lose its mark. Also true of a claim elsewhere that
   has ended meanwhile. */
static inline __attribute__((always_inline)) bool sm_was_claimed(const struct sm_cell *cell,
                                                                 uint64_t before)
{
    uint64_t now = sm_claims_load();
    if (__builtin_expect(now == before, 1))
        return (now & SM_CLAIMS_ACTIVE) && sm_is_claimed(cell);
    return true;
}

/* False if another thread has the lane's claim, or holds on to a claim of some of the cells. */
bool sm_claim_begin(unsigned lane, const struct sm_cell *first, const struct sm_cell *last);
void sm_claim_end(unsigned lane);
/* Waits until the claims that cover the cell now are over. */
void sm_claims_await(const struct sm_cell *cell);
#endif
