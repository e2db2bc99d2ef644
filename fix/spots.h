/*
 * spots.h - where the sources access a variable, and which locks are held there.
 *
 * From the syntax only: a lock is held at a statement if its function takes it before and does not
 * release it in between (held.h). A lock that a caller holds is not seen; trying the repair then
 * shows the deadlock.
 */
#ifndef SM_FIX_SPOTS_H
#define SM_FIX_SPOTS_H

#include "fix/text.h"
#include "fix/tree.h"

struct sm_spot {
    char *file;           /* absolute */
    char *function;       /* name */
    uint32_t line;        /* of the access */
    uint32_t first, last; /* lines of its statement */
    bool reads, writes;
    bool update; /* `x++`, `x = x + e`: could be one access */
    bool step;   /* `x++`, `x += e`: one access, once the variable is atomic */
    struct sm_list held;
};

struct sm_spots {
    struct sm_spot *items;
    size_t n;
};

/* False if no declaration has that name. */
bool sm_spots_find(struct sm_spots *spots, const struct sm_trees *trees, const char *variable);
/* The statement at lines [line, last] of a file, widened to whole statements. */
bool sm_spots_lines(const struct sm_trees *trees, const char *file, uint32_t *line, uint32_t *last);
void sm_spots_free(struct sm_spots *spots);

/* A lock that a function holds, and the argument of the call that took it. */
struct sm_held_text {
    char *name;
    struct sm_span at;
};
enum { SM_MOST_HELD = 16 };
struct sm_held_texts {
    struct sm_held_text items[SM_MOST_HELD];
    size_t n;
};
/* The locks that calls have taken before the offset, named as in the text; names are to be
   freed. */
void sm_spots_held(const struct sm_tree *tree, uint32_t function, size_t before,
                   struct sm_held_texts *held);
typedef void sm_lock_taken(void *context, const struct sm_held_text *held, size_t n,
                           const struct sm_held_text *taken);
/* Calls `taken` for each lock that the function takes before the offset. */
void sm_spots_locks(const struct sm_tree *tree, uint32_t function, size_t before,
                    sm_lock_taken *taken, void *context);

#endif
