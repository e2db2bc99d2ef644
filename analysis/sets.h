/*
 * sets.h - which atomic set a byte belongs to, and which location of it.
 *
 * By default a set is one struct instance: a heap object, an element of an array of structs,
 * a global. What a pointer into its middle calls the type does not matter, so structs nested
 * in it belong to it. The scalars of a translation unit's file scope are one set, and a heap
 * block without a struct in it is one. What stalemate_atomic_set has named goes by that name,
 * wherever it lies. On a stack only the type of the access is known: the set is the struct
 * that the access is to, or the scalar.
 *
 * Whether a heap block is one struct or an array of them is learned from the largest struct
 * it is accessed as; before that is known its sets may be too small, which hides something
 * and invents nothing.
 *
 * A location is where an access starts. Accesses of different sizes overlap: a wide one is
 * an access to each location that is known to start within it.
 */
#ifndef SM_ANALYSIS_SETS_H
#define SM_ANALYSIS_SETS_H

#include "abi/site.h"
#include "analysis/tuples.h"

enum { SM_SET_NAME = 64, SM_MAX_LOCATIONS = 8 };

struct sm_set {
    struct sm_works works;
    uintptr_t low, high;            /* empty for sets that are no one object */
    const struct sm_module *module; /* of a set of file-scope variables */
    const char *type;               /* of a struct; NULL if it is none */
    struct sm_set *next;            /* of the same heap block, or with another name */
    char name[SM_SET_NAME];
    uintptr_t lock; /* held at an access, and where it was taken */
    uintptr_t lock_pc;
    bool locks_differ;
    bool shared; /* written, and accessed by threads that may come between each other */
    bool written, met;
    uint32_t owner;    /* the thread that accessed it last, while it is not shared */
    uint64_t owned_at; /* moment of that */
};

/* everything: one set for all memory, which is conflict-serializability. */
void sm_sets_start(bool everything);
/* NULL if the memory belongs to none. */
struct sm_set *sm_set_find(uintptr_t addr, const struct sm_site *site);
/* Has an access met a set that stalemate_atomic_set named so? */
bool sm_set_is_named(const char *name);
/* What the set of a translation unit's scalars goes by. */
const char *sm_set_of_file(const struct sm_module *module);
/* Is this a pointer to something of the set? */
bool sm_set_covers(const struct sm_set *set, uintptr_t addr);
/* The locations of an access of 1 to 8 bytes; returns how many. */
unsigned sm_set_locations(uintptr_t addr, unsigned size, uintptr_t locations[SM_MAX_LOCATIONS]);
/* A heap block is freed. */
void sm_sets_forget(uintptr_t low, uintptr_t high);

#endif
