/*
 * takeover.h - looking again at cells that changed hands.
 *
 * Cells are changed without locks (cell.h), so two threads that access the same bytes at
 * the same moment can each miss the other's mark. But a race stays visible a while: until
 * this thread releases, nothing another thread does can happen after this thread's access.
 * So a thread that put its epoch where another's (or none) was keeps a note of it, and just
 * before it releases it checks each noted access once more. What stands in the cell then,
 * and is neither its own nor seen by it, is concurrent with its access: a race.
 *
 * Only one order of events escapes: a thread is stopped between the load and the store of
 * a check (three instructions) until the other has both made its access and released.
 */
#ifndef SM_NATIVE_TAKEOVER_H
#define SM_NATIVE_TAKEOVER_H

#include <stdint.h>

struct sm_site;
struct sm_words;
struct sm_detect_thread;

#define SM_TAKEOVERS 512

struct sm_takeover {
    uintptr_t addr;
    union {
        const struct sm_site *site;
        const struct sm_words *words; /* if step is SM_TAKEOVER_WORDS: see paths.h */
    };
    uint64_t size; /* of stripes: of all of them */
    uint32_t step; /* 0: all of it; else accesses of the site's size, so far apart */
    uint32_t over; /* SM_TAKEOVER_WRITE; or a read, and a write mark that it found and had seen */
};
#define SM_TAKEOVER_WRITE UINT32_MAX
#define SM_TAKEOVER_WORDS UINT32_MAX

struct sm_takeovers {
    uint32_t n;
    struct sm_takeover noted[SM_TAKEOVERS];
};

void sm_takeover_note(struct sm_detect_thread *thread, struct sm_takeover taken);
/* The caller has executed a locked instruction since its last access (a lock, a fence): its own
   stores to the cells must come before these loads, the one order x86 does not keep. */
void sm_takeovers_verify(struct sm_detect_thread *thread);
/* The same with the fence, where there is no such instruction. */
void sm_takeovers_verify_fenced(struct sm_detect_thread *thread);

#endif
