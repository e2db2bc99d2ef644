/*
 * annotations.c - annotations in programs: stalemate.h, SV-COMP's, and the common part of those of
 * other tools.
 *
 * Those for exploration (choices, assumptions, outcomes) do nothing in a native run.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/libc/dynamic_annotations.h"
#include "core/libc/real.h"
#include "native/notes.h"
#include "native/sync.h"

#define __STALEMATE__ 1
#include "stalemate.h"

/* ---- notes ---- */

struct note {
    uintptr_t low, high;
    struct note *next;
    char why[128];
};

static struct note *notes; /* grows only, at its head */

static void add_note(const volatile void *p, size_t size, const char *why)
{
    struct note *note = sm_alloc(sizeof *note);
    *note = (struct note){.low = (uintptr_t)p, .high = (uintptr_t)p + size};
    sm_format(note->why, sizeof note->why, "%s", why ? why : "");
    note->next = __atomic_load_n(&notes, __ATOMIC_RELAXED);
    /* release: a thread that finds the note sees it complete */
    while (!__atomic_compare_exchange_n(&notes, &note->next, note, 1, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        ;
}

const char *sm_note_benign(uintptr_t addr)
{
    const struct note *note = __atomic_load_n(&notes, __ATOMIC_ACQUIRE); /* pairs with add_note */
    for (; note; note = note->next)
        if (addr >= note->low && addr < note->high)
            return note->why;
    return NULL;
}

/* ---- stalemate.h ---- */

SM_EXPORT void stalemate_happens_before(const volatile void *p)
{
    sm_release((const void *)p, SM_KEY_NOTE);
}

SM_EXPORT void stalemate_happens_after(const volatile void *p)
{
    sm_acquire((const void *)p, SM_KEY_NOTE);
}

SM_EXPORT void stalemate_benign(const volatile void *p, size_t size, const char *why)
{
    add_note(p, size, why);
}

SM_EXPORT void stalemate_assume(int condition)
{
    (void)condition;
}

SM_EXPORT unsigned stalemate_choose(unsigned n)
{
    (void)n;
    return 0;
}

SM_EXPORT void stalemate_outcome(const char *format, ...)
{
    (void)format;
}

SM_EXPORT void stalemate_atomic_set(const volatile void *p, size_t size, const char *name)
{
    (void)p, (void)size, (void)name;
}

SM_EXPORT void stalemate_unit_begin(const volatile void *p)
{
    (void)p;
}

SM_EXPORT void stalemate_unit_end(const volatile void *p)
{
    (void)p;
}

/* ---- SV-COMP ---- */

static pthread_mutex_t atomic_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

SM_EXPORT void __VERIFIER_atomic_begin(void)
{
    pthread_mutex_lock(&atomic_section);
}

SM_EXPORT void __VERIFIER_atomic_end(void)
{
    pthread_mutex_unlock(&atomic_section);
}

SM_EXPORT void __VERIFIER_assume(int condition)
{
    (void)condition;
}

SM_EXPORT _Noreturn void __VERIFIER_error(void)
{
    abort();
}

#define SM_NONDET(name, type)                                                                      \
    SM_EXPORT type __VERIFIER_nondet_##name(void);                                                 \
    type __VERIFIER_nondet_##name(void)                                                            \
    {                                                                                              \
        return (type)0;                                                                            \
    }
#include "core/libc/nondet.def"

SM_EXPORT void *__VERIFIER_nondet_pointer(void)
{
    return NULL;
}

/* ---- for the annotations of other tools ---- */

/* Code compiled for ThreadSanitizer calls this in each module. */
SM_EXPORT void __tsan_init(void) {}

void sm_annotate_before(const volatile void *p, void *pc)
{
    (void)pc;
    sm_release((const void *)p, SM_KEY_NOTE);
}

void sm_annotate_after(const volatile void *p, void *pc)
{
    (void)pc;
    sm_acquire((const void *)p, SM_KEY_NOTE);
}

/* Like a reader-writer lock, but of unknown kind. */
void sm_annotate_locked(const volatile void *lock, int writes, void *pc)
{
    (void)pc;
    sm_lock_taken((const void *)lock, SM_HOLD_OTHER);
    sm_acquire_lock((const void *)lock, SM_KEY_MAIN);
    if (writes)
        sm_acquire_lock((const void *)lock, SM_KEY_READERS);
}

void sm_annotate_unlocked(const volatile void *lock, int writes, void *pc)
{
    (void)pc;
    sm_lock_given_up((const void *)lock);
    sm_release_lock((const void *)lock, writes ? SM_KEY_MAIN : SM_KEY_READERS);
}

void sm_annotate_benign(const volatile void *p, size_t size, const char *why)
{
    add_note(p, size, why);
}

static void change_count(uint32_t *count, int change)
{
    if (change > 0 || *count)
        *count += (uint32_t)change;
}

void sm_annotate_ignore(int change)
{
    if (sm_current)
        change_count(&sm_current->ignored, change);
}

void sm_annotate_ignore_sync(int change)
{
    if (sm_current)
        change_count(&sm_current->sync_ignored, change);
}
