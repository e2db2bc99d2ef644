/*
 * why.h - why a read may legally see what it saw: which happens-before edge is missing, and which
 * two lines would create it.
 *
 * The checker decides legality; this explains it to users, from the records only. A read that
 * misses the newest store is legal because that store does not happen before it, or has not left
 * its thread's store buffer; a future value because the read does not happen before the store. An
 * access that races under sc is unordered with the conflicting access before it.
 */
#ifndef SM_FINDINGS_WHY_H
#define SM_FINDINGS_WHY_H

#include "witness/witness.h"

enum sm_why_kind {
    SM_WHY_NOT,       /* nothing to explain: it saw the newest store, and races with nothing */
    SM_WHY_BUFFERED,  /* the newest store is in its thread's store buffer */
    SM_WHY_COHERENCE, /* the thread had read the newest store before; plain reads may go back */
    SM_WHY_RELAYED,   /* a value passes between the threads, but does not synchronise */
    SM_WHY_UNORDERED, /* nothing passes between the threads */
    SM_WHY_CROSSED,   /* and each loads what the other has stored before it loaded: SB */
    SM_WHY_FUTURE,    /* the store comes later, and nothing holds it back */
    SM_WHY_RACE,      /* unordered with a conflicting access: either order can happen */
};

struct sm_why {
    enum sm_why_kind kind;
    size_t from, to;         /* the missing edge: records */
    size_t release, acquire; /* BUFFERED: from, and its FLUSH; COHERENCE, RELAYED: the store and the
                                read that would create the edge. n_records: there is none */
    struct sm_list lines;    /* the reason; what would create the edge */
};

/* Of one witness, which must outlive it: happens-before is computed once. */
struct sm_reasons;
struct sm_reasons *sm_reasons_open(const struct sm_witness *witness);
void sm_reasons_close(struct sm_reasons *reasons);

uint32_t sm_reasons_threads(const struct sm_reasons *reasons);
/* Do records a and b, a the earlier one, race? */
bool sm_reasons_race(const struct sm_reasons *reasons, size_t a, size_t b);

/* Of record i; the caller frees the lines. Takes time proportional to the records between the two
   ends of the edge. */
struct sm_why sm_why(const struct sm_reasons *reasons, size_t i);

/* What would make the first read of a stale value see the newest one, with the lines to change; of
   several reads, the first of which more is known than that nothing orders it; owned, NULL if there
   is no such read. *publication is the store that should have released, if there is one; otherwise
   it is not changed. */
char *sm_why_remedy(const struct sm_reasons *reasons, size_t *publication);

#endif
