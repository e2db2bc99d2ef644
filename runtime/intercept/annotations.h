/*
 * annotations.h - the program's annotations of its memory, for the analyses.
 *
 * stalemate_benign and stalemate_atomic_set (and ThreadSanitizer's AnnotateBenignRace) name ranges
 * of bytes. They are valid until the memory is freed or the execution ends.
 */
#ifndef SM_RUNTIME_INTERCEPT_ANNOTATIONS_H
#define SM_RUNTIME_INTERCEPT_ANNOTATIONS_H

#include <stddef.h>
#include <stdint.h>

enum sm_note_kind { SM_NOTE_BENIGN, SM_NOTE_ATOMIC_SET };

struct sm_note {
    enum sm_note_kind kind;
    uintptr_t low, high;
    char text[48]; /* why it is benign; name of the set */
    struct sm_note *next;
};

/* The newest note of a kind on a byte, or NULL. */
const struct sm_note *sm_note_find(enum sm_note_kind kind, uintptr_t addr);
/* The memory was freed. */
extern struct sm_note *sm_notes;
void sm_notes_forget_in(uintptr_t low, uintptr_t high);
static inline void sm_notes_forget(uintptr_t low, uintptr_t high)
{
    if (sm_notes)
        sm_notes_forget_in(low, high);
}

#endif
