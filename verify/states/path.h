/*
 * path.h - a run that follows steps (paths.h), for the files that make it up:
 *
 *   paths.c         between the program and the rest: accesses, threads, fences
 *   path_steps.c    which step comes next, and where in its tree each thread is
 *   path_places.c   what memory holds, and in the trace which write each read reads
 *   path_objects.c  synchronisation objects
 *   path_loops.c    turns of a loop that end where they began
 *   path_end.c      how a run ends, and what the next one is for
 *
 * State "of the run" is discarded with it.
 */
#ifndef SM_VERIFY_STATES_PATH_H
#define SM_VERIFY_STATES_PATH_H

#include "verify/states/machine.h"
#include "verify/states/search.h"
#include "verify/trees/local.h"

/* ---- path_steps.c ---- */

/* The purpose of the run; outlives it. */
struct sm_path_plan {
    struct sm_search *search;
    enum sm_search_want want;
    struct sm_search_run run;
    uint32_t harms; /* runs in which a thread was stopped at an error */
};
extern struct sm_path_plan *sm_path_plan;

void sm_path_steps_start(void);  /* once */
void sm_path_steps_begin(void);  /* before each run */
void sm_path_steps_forget(void); /* the trees are made again */
/* Trees have turned out to be wrong, and are to be made again with more nodes. True only once. */
bool sm_path_steps_failed(void);
bool sm_path_is_over(void); /* every step was taken */
bool sm_path_has_step(uint32_t thread);

/* The node of the thread; 0: it was not created. */
uint32_t sm_path_here(uint32_t thread);
/* Sets the thread to the first event after its creation by the event `spawn`. */
void sm_path_is_born(uint32_t thread, uint32_t spawn);
/* The thread has no next event, if that was not known: the kind says why. */
void sm_path_stop(uint32_t thread, int kind, uint64_t value);
/* The thread ends. */
void sm_path_end(const struct sm_thread *thread);
/* The thread is at this event. Returns the requested step, or NULL if there is none: then the
   answer is `otherwise`. Moves on in the tree by the answer. */
const struct sm_move *sm_path_go(const struct sm_local *event, uint32_t thread, uint64_t otherwise,
                                 uint64_t *answer);
/* The thread is at this event and stays there. */
void sm_path_stay(const struct sm_local *event, uint32_t thread);
/* How many events the thread has had. */
uint16_t sm_path_position(uint32_t thread);
/* One iteration of a spin loop leads back to its start, after the first `since` events; false: that
   was known. */
bool sm_path_leads_back(uint32_t thread, uint16_t since);
/* The same if that iteration made a read-modify-write that left the value unchanged: the thread
   stops (iteration.h says why that is sound). Leading back would add a write in each iteration, and
   the number of states would be unbounded. False: it made none. */
bool sm_path_ends_idle(uint32_t thread, uint16_t since);
/* The name of the write just made. */
uint16_t sm_path_last_name(uint32_t thread);

/* The thread begins a turn of a loop that has no end: its next node is marked (search.h). */
void sm_path_is_endless(uint32_t thread);
bool sm_path_begins_turn(uint32_t node);

/* ---- path_loops.c: model sc ----

   A thread that is at the header of a loop where it was before, in the same state, and has changed
   in between only what the machine knows, is at the same node as then. So a loop without end is a
   cycle in its tree. */

void sm_path_loops_begin(void); /* before each run */
/* The thread changes what only it can see; the same for a store to private memory, if a loop can
   notice it (plugin/iterations.h). */
void sm_path_loops_change(uint32_t thread);
void sm_path_loops_store(const struct sm_event *event);

/* ---- path_places.c ---- */

/* Newest write of a location, or state of an object, and what memory held before its first event.
 */
struct sm_path_place {
    bool known, written;
    uint64_t value, record, rf[8];
};

void sm_path_places_begin(void); /* before each run */
struct sm_path_place *sm_path_place(uint16_t loc);
/* Number of the location, or SM_PRIVATE. */
uint16_t sm_path_location(const struct sm_event *event, bool write);
/* The write that this half of the step reads is not made yet. */
bool sm_path_is_future(const struct sm_move *step, unsigned half);
void sm_path_say_where_from(struct sm_event *event, const struct sm_move *step, uint16_t loc);
void sm_path_note_write(const struct sm_event *event, uint16_t loc);
/* Every foreseen write has been made. */
bool sm_path_is_settled(void);

#endif
