/*
 * annotations.c - what programs say to their checkers: stalemate.h, SV-COMP's names, and the
 * dynamic annotations that ThreadSanitizer and Valgrind's tools understand.
 *
 * What concerns exploration (choices, assumptions, outcomes) has no meaning in a native run.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../notes.h"
#include "../sync.h"
#include "real.h"

#define __STALEMATE__ 1
#include "stalemate.h"

/* ---- notes ---- */

struct note {
    uintptr_t low, high;
    struct note *next;
    char why[128];
};

static struct note *notes; /* only ever grows, at its head */

static void add_note(const volatile void *p, size_t size, const char *why)
{
    struct note *note = sm_alloc(sizeof *note);
    *note = (struct note){.low = (uintptr_t)p, .high = (uintptr_t)p + size};
    sm_format(note->why, sizeof note->why, "%s", why ? why : "");
    note->next = __atomic_load_n(&notes, __ATOMIC_RELAXED);
    /* release: who finds the note finds it filled in */
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

static void ignore(int change)
{
    struct sm_detect_thread *thread = sm_current;
    if (thread && (change > 0 || thread->ignored))
        thread->ignored += (uint32_t)change;
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
#include "../../runtime/intercept/nondet.def"

SM_EXPORT void *__VERIFIER_nondet_pointer(void)
{
    return NULL;
}

/* ---- ThreadSanitizer, and the dynamic annotations of others ---- */

SM_EXPORT void __tsan_acquire(void *p)
{
    sm_acquire(p, SM_KEY_NOTE);
}

SM_EXPORT void __tsan_release(void *p)
{
    sm_release(p, SM_KEY_NOTE);
}

/* The code was compiled as for ThreadSanitizer, which has each module call this. */
SM_EXPORT void __tsan_init(void) {}

SM_EXPORT void AnnotateHappensBefore(const char *file, int line, const volatile void *p)
{
    (void)file, (void)line;
    stalemate_happens_before(p);
}

SM_EXPORT void AnnotateHappensAfter(const char *file, int line, const volatile void *p)
{
    (void)file, (void)line;
    stalemate_happens_after(p);
}

SM_EXPORT void AnnotateBenignRace(const char *file, int line, const volatile void *p,
                                  const char *why)
{
    (void)file, (void)line;
    add_note(p, 1, why);
}

SM_EXPORT void AnnotateBenignRaceSized(const char *file, int line, const volatile void *p,
                                       size_t size, const char *why)
{
    (void)file, (void)line;
    add_note(p, size, why);
}

#define IGNORE(name, change)                                                                       \
    SM_EXPORT void Annotate##name(const char *file, int line);                                     \
    void Annotate##name(const char *file, int line)                                                \
    {                                                                                              \
        (void)file, (void)line;                                                                    \
        ignore(change);                                                                            \
    }
IGNORE(IgnoreReadsBegin, 1)
IGNORE(IgnoreReadsEnd, -1)
IGNORE(IgnoreWritesBegin, 1)
IGNORE(IgnoreWritesEnd, -1)
