/*
 * advice.c - one line on how to remove a race, chosen from what was observed.
 *
 * The kinds are those of Java RaceFinder's counterexample analysis (missing synchronisation,
 * unsafe publication, volatile where an atomic is needed, a flag that is no flag), with what C
 * adds: memory that is freed, and locks of which only one side holds one. The most specific
 * observation comes first.
 */
#include "finding.h"

static bool is_volatile(const struct sm_side *side)
{
    return side->site && (side->site->flags & SM_SITE_VOLATILE);
}

static bool share_lock(const struct sm_locks *a, const struct sm_locks *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++)
            if (a->held[i].addr == b->held[j].addr)
                return true;
    return false;
}

static bool created(const struct sm_side *parent, const struct sm_side *child)
{
    return child->thread->parent == parent->thread;
}

static const char *advice_on_locks(const struct sm_locks *a, const struct sm_locks *b)
{
    if (share_lock(a, b))
        return "both sides hold the same lock, but one only for reading: take it for writing "
               "where the variable is written";
    if (a->n && b->n)
        return "each side holds a lock, but not the same one: agree on one lock for this variable";
    return "one side holds a lock, the other none: take the same lock there, too";
}

static const char *advice_on_sharing(const struct sm_finding *finding)
{
    const struct sm_side *first = &finding->first, *second = &finding->second;
    bool first_writes = first->kind & SM_ACCESS_WRITE;
    if (finding->in_heap && first_writes && !(second->kind & SM_ACCESS_WRITE) &&
        finding->block.origin.site && finding->block.origin.thread == first->thread->id)
        return "unsafe publication: publish the pointer to the object with a release store when "
               "it is complete, and read the pointer with an acquire load";
    if (created(first, second) && first_writes)
        return "the creator writes after the thread has started: write before pthread_create";
    if (created(second, first))
        return "the creator does not wait for the thread: join it (or take a lock) first";
    return "missing synchronisation: protect all accesses with one mutex, or make the variable "
           "atomic (release where it is written, acquire where it is read)";
}

const char *sm_finding_advice(const struct sm_finding *finding)
{
    const struct sm_side *first = &finding->first, *second = &finding->second;
    if ((first->kind | second->kind) & SM_ACCESS_FREE)
        return "the memory is freed while another thread may use it: join or otherwise order that "
               "thread before the free, or count references";
    if ((first->kind | second->kind) & SM_ACCESS_ATOMIC)
        return "one side is atomic, the other plain: make the plain access atomic, too";
    if (is_volatile(first) || is_volatile(second))
        return "volatile orders nothing between threads: make the variable atomic, with a release "
               "store and an acquire load";
    if (first->locks.n || second->locks.n)
        return advice_on_locks(&first->locks, &second->locks);
    return advice_on_sharing(finding);
}
