/*
 * claim.c - see claim.h.
 */
#include "native/claim.h"

#include "base/sys.h"

struct sm_claims sm_claims;

/* How long a thread waits: at least half a second, while a claim lasts a few microseconds. */
enum { SPIN_TURNS = 256, WAIT_TURNS = 1 << 20 };

static void await(unsigned lane, uint64_t claim)
{
    for (unsigned i = 0; sm_claim_load(lane) == claim; i++) {
        __builtin_ia32_pause();
        if (i > SPIN_TURNS)
            sm_syscall(SYS_sched_yield);
        if (i == WAIT_TURNS)
            sm_claim_end(lane);
    }
}

/* A claim of another lane that overlaps; 0 if there is none. The caller waits for the end of the
   claim that was found here: one that is loaded again may be over, and its lane may stay empty. */
static uint64_t find_other(unsigned lane, uint64_t mine, unsigned *other)
{
    for (*other = 0; *other < SM_MARKS; ++*other) {
        uint64_t claim = *other == lane ? 0 : sm_claim_load(*other);
        if (sm_claims_overlap(claim, mine))
            return claim;
    }
    return 0;
}

__attribute__((preserve_all)) bool sm_claims_cover(const struct sm_cell *cell)
{
    uint64_t mine = sm_claim_of(cell, cell);
    for (unsigned i = 0; i < SM_MARKS; i++)
        if (sm_claims_overlap(sm_claim_load(i), mine))
            return true;
    return false;
}

bool sm_claim_begin(unsigned lane, const struct sm_cell *first, const struct sm_cell *last)
{
    enum { CLAIM_TRIES = 2 };
    uint64_t mine = sm_claim_of(first, last);
    for (unsigned i = 0; i < CLAIM_TRIES; i++) {
        uint64_t none = 0;
        /* seq_cst: before the claims of others are read */
        if (!__atomic_compare_exchange_n(&sm_claims.claim[lane], &none, mine, false,
                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return false;
        /* seq_cst: before the cells are read */
        __atomic_exchange_n(&sm_claims.turns[lane], (uint16_t)(sm_claims.turns[lane] | 1),
                            __ATOMIC_SEQ_CST);
        unsigned other;
        uint64_t claim = find_other(lane, mine, &other);
        if (!claim)
            return true;
        sm_claim_end(lane);
        await(other, claim);
    }
    return false;
}

void sm_claim_end(unsigned lane)
{
    uint16_t turns = sm_claims.turns[lane]; /* even if another thread has cancelled the claim */
    /* release: the marks come first; then the place is free */
    __atomic_store_n(&sm_claims.turns[lane], (uint16_t)(turns + (turns & 1)), __ATOMIC_RELEASE);
    __atomic_store_n(&sm_claims.claim[lane], 0, __ATOMIC_RELEASE);
}

void sm_claims_await(const struct sm_cell *cell)
{
    for (unsigned i = 0; i < SM_MARKS; i++) {
        uint64_t claim = sm_claim_load(i);
        if (sm_claims_overlap(claim, sm_claim_of(cell, cell)))
            await(i, claim);
    }
}
