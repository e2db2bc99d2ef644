/*
 * story.h - what happened in a failing execution, in at most twelve lines.
 *
 * Reads the records of a witness: which read saw a stale or future value, who wrote that, and what
 * had been written since; next to each step its source line. Repetitions are told once, with a
 * count. Nothing is executed. The words are voice.h's.
 */
#ifndef SM_FINDINGS_STORY_H
#define SM_FINDINGS_STORY_H

#include "witness/witness.h"

/* Adds lines; `variable` is the variable lied about. */
void sm_story_tell(const struct sm_witness *witness, const char *variable, struct sm_list *lines);

/*
 * The same, piece by piece. sm_story_lie: record i, if it is a read that saw a stale or future
 * value (else it adds nothing, and returns false). sm_story_turn: where the thread of record i
 * continues. sm_story_close: the end, after so many lies.
 */
bool sm_story_lie(const struct sm_witness *witness, size_t i, const char *variable,
                  struct sm_list *lines);
void sm_story_turn(const struct sm_witness *witness, size_t i, struct sm_list *lines);
void sm_story_close(const struct sm_witness *witness, size_t lies, struct sm_list *lines);
/* False: record i is no read of a stale or future value. True is a guess: to be sure, all records
   before it must be searched. Call it for the records in order; *delayed begins as 0. */
bool sm_story_may_lie(const struct sm_witness *witness, size_t i, size_t *delayed);

/* By event, owned: synchronisation, and accesses that several threads make to the variables lied
   about (if there are none: to any); not the further records of wide accesses, and not the parts of
   reads. */
bool *sm_events_that_matter(const struct sm_witness *witness);

/* "read", "lock", ... */
const char *sm_event_word(uint8_t kind);
/* The value as a programmer would write it: small ones in decimal. */
void sm_record_value(const struct sm_record *record, struct sm_buffer *to);
/* Of the record itself: does it store, does it only read? */
bool sm_is_store(const struct sm_record *record);
bool sm_is_read(const struct sm_record *record);
bool sm_is_access(const struct sm_record *record);
bool sm_is_atomic(const struct sm_record *record); /* an atomic access */
bool sm_is_lock(const struct sm_record *record);
bool sm_is_unlock(const struct sm_record *record);
/* They have a byte in common. */
bool sm_is_same_memory(const struct sm_record *a, const struct sm_record *b);
/* The newest store that the read at record i should have seen in every byte, but does not;
   n_records if there is none. */
size_t sm_missed_store(const struct sm_witness *witness, size_t i);

#endif
