/*
 * conflict.h - which accesses can race.
 *
 * A data race is two accesses to a common byte, from different threads, at least one a write, at
 * least one not atomic, unordered by happens-before. Happens-before is represented differently in
 * analysis/ (clocks), verify/ (graphs) and native/ (epochs); which kinds of access conflict, and
 * when one access makes another redundant, is the same and is here. The checker has its own.
 */
#ifndef SM_CORE_CONFLICT_H
#define SM_CORE_CONFLICT_H

#include <stdbool.h>

/* The kind of an access, as far as conflicts are concerned. Freeing is a plain write. */
enum { SM_ACCESS_WRITE = 1 << 0, SM_ACCESS_ATOMIC = 1 << 1 };

static inline bool sm_conflicts(unsigned a, unsigned b)
{
    return ((a | b) & SM_ACCESS_WRITE) && !(a & b & SM_ACCESS_ATOMIC);
}

/* Whatever conflicts with `weaker` conflicts with `stronger`: once the weaker one happens before
   the stronger one it need not be remembered (FastTrack). */
static inline bool sm_conflicts_cover(unsigned stronger, unsigned weaker)
{
    return ((stronger & SM_ACCESS_WRITE) || !(weaker & SM_ACCESS_WRITE)) &&
           (!(stronger & SM_ACCESS_ATOMIC) || (weaker & SM_ACCESS_ATOMIC));
}

#endif
