/*
 * path.h - a run that follows steps (paths.h), for the files that make it up:
 *
 *   paths.c         between the program and the rest: accesses, threads, fences
 *   path_steps.c    which step comes next, and where in its tree each thread is
 *   path_places.c   what memory holds, and in the trace which write each read reads
 *   path_objects.c  synchronisation objects
 *   path_end.c      how a run ends, and what the next one is for
 *
 * What is said of "the run" is forgotten with it.
 */
#ifndef SM_VERIFY_STATES_PATH_H
#define SM_VERIFY_STATES_PATH_H

#include "verify/states/machine.h"
#include "verify/states/search.h"
#include "verify/trees/local.h"

/* ---- path_steps.c ---- */

/* What the run is for; outlives it. */
struct sm_path_plan {
    enum sm_search_want want;
    struct sm_search_run run;
    uint32_t harms; /* runs in which a thread was stopped at an error */
};
extern struct sm_path_plan *sm_path_plan;

void sm_path_steps_start(void); /* once */
void sm_path_steps_begin(void); /* before each run */
bool sm_path_is_over(void);     /* every step was taken */
bool sm_path_has_step(uint32_t thread);

/* Where the thread is: a node; 0: nowhere, it was not created. */
uint32_t sm_path_here(uint32_t thread);
/* The first event of a thread that the event `spawn` has created. */
void sm_path_is_born(uint32_t thread, uint32_t spawn);
/* Nothing comes next, if that was not known: the kind says why. */
void sm_path_stop(uint32_t thread, int kind, uint64_t value);
/* The thread is at this event. Returns the step that is to be taken, NULL where none was asked
   for: then the answer is the dull one. Goes on in the tree by the answer. */
const struct sm_move *sm_path_go(const struct sm_local *event, uint32_t thread, uint64_t dull,
                                 uint64_t *answer);
/* The thread is at this event, and goes no further. */
void sm_path_stay(const struct sm_local *event, uint32_t thread);
/* How many events the thread has had. */
uint16_t sm_path_position(uint32_t thread);
/* One turn of a loop that waits leads back to where the turn began, after its first `since`
   events; false: that was known. */
bool sm_path_leads_back(uint32_t thread, uint16_t since);
/* The same, if that turn made a read-modify-write that left the value as it was: the thread stops
   (iteration.h says why that is sound). To lead back would add a write in each turn, and there
   would be no end of states. False: it made none. */
bool sm_path_ends_idle(uint32_t thread, uint16_t since);
/* The name of the write just made. */
uint16_t sm_path_last_name(uint32_t thread);

/* ---- path_places.c ---- */

/* Newest write of a location, or state of an object, and what memory held before its first
   event. */
struct sm_path_place {
    bool known, written;
    uint64_t value, record, rf[8];
};

void sm_path_places_begin(void); /* before each run */
struct sm_path_place *sm_path_place(uint16_t loc);
/* Number of the location, or SM_PRIVATE. */
uint16_t sm_path_location(const struct sm_event *event, bool write);
/* Half of what this step reads is not written yet. */
bool sm_path_is_future(const struct sm_move *step, unsigned half);
void sm_path_say_where_from(struct sm_event *event, const struct sm_move *step, uint16_t loc);
void sm_path_note_write(const struct sm_event *event, uint16_t loc);
/* All that was foreseen has been written. */
bool sm_path_is_settled(void);

#endif
