/*
 * sets.h - which atomic set a byte belongs to, and which location of it.
 *
 * By default a set is one struct instance: a heap object, an element of an array of structs, a
 * global. Structs nested in it belong to it, whatever type a pointer into its middle has. The
 * file-scope scalars of a translation unit are one set, and so is a heap block without a struct.
 * Memory named by stalemate_atomic_set belongs to the set of that name, wherever it is. On a stack
 * only the type of the access is known: the set is the accessed struct, or the scalar.
 *
 * Whether a heap block is one struct or an array of them is learnt from the largest struct it is
 * accessed as; until then its sets may be too small, which may miss violations but reports no
 * false ones.
 *
 * A location is the start of an access. Accesses of different sizes overlap: a wide one is an
 * access to each known location within it.
 */
#ifndef SM_ANALYSIS_SETS_H
#define SM_ANALYSIS_SETS_H

#include "abi/site.h"
#include "analysis/tuples.h"

enum { SM_SET_NAME = 64, SM_MAX_LOCATIONS = 8 };

struct sm_set {
    struct sm_works works;
    uintptr_t low, high;            /* empty for sets that are not one object */
    const struct sm_module *module; /* of a set of file-scope variables */
    const char *type;               /* of a struct; else NULL */
    struct sm_set *next;            /* of the same heap block, or with another name */
    char name[SM_SET_NAME];
    uintptr_t lock; /* held at an access, and where it was taken */
    uintptr_t lock_pc;
    bool locks_differ;
    bool shared; /* written, and accessed by threads that may interleave */
    bool written, met;
    uint32_t owner;    /* the thread that accessed it last, while it is not shared */
    uint64_t owned_at; /* when, in sm_units_moment */
};

/* everything: one set for all memory, i.e. conflict-serializability. */
void sm_sets_start(bool everything);
/* NULL if the memory belongs to none. */
struct sm_set *sm_set_find(uintptr_t addr, const struct sm_site *site);
/* Has an access been to a set with this name from stalemate_atomic_set? */
bool sm_set_is_named(const char *name);
/* The name of the set of a translation unit's scalars. */
const char *sm_set_of_file(const struct sm_module *module);
/* Does the pointer point into the set? */
bool sm_set_covers(const struct sm_set *set, uintptr_t addr);
/* The locations of an access of 1 to 8 bytes; returns how many. */
unsigned sm_set_locations(uintptr_t addr, unsigned size, uintptr_t locations[SM_MAX_LOCATIONS]);
/* A heap block is freed. */
void sm_sets_forget(uintptr_t low, uintptr_t high);

#endif
