/*
 * story.h - what happened in a failing execution, in at most twelve lines.
 *
 * Reads the records of a witness: which read of a lied-about variable saw what it should not have
 * seen, who had written that, and what had been written since; beside each step its line of the
 * source. What repeats is told once, with a count. Nothing is executed. The words are voice.h's.
 */
#ifndef SM_FINDINGS_STORY_H
#define SM_FINDINGS_STORY_H

#include "witness/witness.h"

/* Adds lines; `variable` is the variable lied about. */
void sm_story_tell(const struct sm_witness *witness, const char *variable, struct sm_list *lines);

/*
 * The same told piece by piece. Of record i: if it is a read that saw what it should not have
 * seen (else it adds nothing, and returns false); where its thread goes on. At the end, after
 * so many lies: what came of it all.
 */
bool sm_story_lie(const struct sm_witness *witness, size_t i, const char *variable,
                  struct sm_list *lines);
void sm_story_turn(const struct sm_witness *witness, size_t i, struct sm_list *lines);
void sm_story_close(const struct sm_witness *witness, size_t lies, struct sm_list *lines);
/* False: record i is no read that saw what it should not have seen. To find out for sure takes a
   look at all that comes before it. Records are asked about in order; *delayed begins as 0. */
bool sm_story_may_lie(const struct sm_witness *witness, size_t i, size_t *delayed);

/* By event, owned: synchronisation, and accesses to the variables lied about (if there are none: to
   all) that several threads access; not the rests of wide accesses, and not the parts of reads. */
bool *sm_events_that_matter(const struct sm_witness *witness);

/* "read", "lock", ... */
const char *sm_event_word(uint8_t kind);
/* The value as a programmer would write it: small ones in decimal. */
void sm_record_value(const struct sm_record *record, struct sm_buffer *to);
/* Of the record itself: does it store, does it only read? */
bool sm_is_store(const struct sm_record *record);
bool sm_is_read(const struct sm_record *record);
bool sm_is_access(const struct sm_record *record);
bool sm_is_lock(const struct sm_record *record);
bool sm_is_unlock(const struct sm_record *record);
/* They have a byte in common. */
bool sm_is_same_memory(const struct sm_record *a, const struct sm_record *b);
/* The newest store of which the read at record i does not show every byte that it should, had
   nobody lied; n_records if it shows all. */
size_t sm_missed_store(const struct sm_witness *witness, size_t i);

#endif
