/*
 * Annotations of programs for their checkers: stalemate.h, and the names used by SV-COMP and
 * (through dynamic_annotations.h) ThreadSanitizer. Without control none of them has an effect,
 * except that atomic sections still exclude each other and errors still abort.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/libc/dynamic_annotations.h"
#include "runtime/choice.h"
#include "runtime/control.h"
#include "runtime/engine.h"
#include "runtime/intercept/annotations.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/operations.h"

#define __STALEMATE__ 1
#include "stalemate.h"

static void emit(int kind, const volatile void *object, uint64_t aux, void *pc)
{
    if (!sm_self())
        return;
    struct sm_event event = sm_sync_event(kind, (const void *)object, aux, pc);
    sm_sync(&event);
}

/* ---- notes on memory ---- */

struct sm_note *sm_notes;

static void add_note(enum sm_note_kind kind, const volatile void *p, size_t size, const char *text)
{
    if (!sm_self())
        return;
    struct sm_note *note = sm_alloc(sizeof(*note));
    *note = (struct sm_note){
        .kind = kind, .low = (uintptr_t)p, .high = (uintptr_t)p + size, .next = sm_notes};
    sm_format(note->text, sizeof(note->text), "%s", text ? text : "");
    sm_notes = note;
}

const struct sm_note *sm_note_find(enum sm_note_kind kind, uintptr_t addr)
{
    for (const struct sm_note *note = sm_notes; note; note = note->next)
        if (note->kind == kind && addr >= note->low && addr < note->high)
            return note;
    return NULL;
}

void sm_notes_forget_in(uintptr_t low, uintptr_t high)
{
    for (struct sm_note **link = &sm_notes, *note; (note = *link);) {
        if (note->low >= low && note->low < high) {
            *link = note->next;
            sm_free(note, sizeof(*note));
        } else {
            link = &note->next;
        }
    }
}

/* ---- stalemate.h ---- */

SM_EXPORT void stalemate_assume(int condition)
{
    if (!condition && sm_self())
        sm_end(SM_END_ASSUME, 0, "an assumption of the program does not hold");
}

static uint32_t choose(uint32_t n, void *pc)
{
    if (!sm_self() || n < 2)
        return 0;
    uint32_t pick = sm_choose(SM_PURPOSE_USER, n, NULL);
    emit(SM_EV_CHOOSE, NULL, pick, pc);
    return pick;
}

SM_EXPORT unsigned stalemate_choose(unsigned n)
{
    return choose(n, SM_CALLER());
}

/* Libc formats it, since it supports all formats; its allocations for that are not the program's.
 */
SM_EXPORT void stalemate_outcome(const char *format, ...)
{
    struct sm_thread *self = sm_self();
    if (!self)
        return;
    size_t used = sm_control->outcome_bytes, room = sizeof(sm_control->outcome) - used;
    if (room < 2)
        return;
    sm_engine_prints();
    va_list args;
    va_start(args, format);
    self->in_runtime = true;
    int length = vsnprintf(sm_control->outcome + used, room - 1, format, args);
    self->in_runtime = false;
    va_end(args);
    used += (size_t)length < room - 2 ? (size_t)length : room - 2;
    sm_control->outcome[used++] = '\n';
    sm_control->outcome[used] = 0;
    sm_control->outcome_bytes = used;
}

SM_EXPORT void stalemate_happens_before(const volatile void *p)
{
    emit(SM_EV_HAPPENS_BEFORE, p, 0, SM_CALLER());
}

SM_EXPORT void stalemate_happens_after(const volatile void *p)
{
    emit(SM_EV_HAPPENS_AFTER, p, 0, SM_CALLER());
}

SM_EXPORT void stalemate_benign(const volatile void *p, size_t size, const char *why)
{
    add_note(SM_NOTE_BENIGN, p, size, why);
}

SM_EXPORT void stalemate_atomic_set(const volatile void *p, size_t size, const char *name)
{
    add_note(SM_NOTE_ATOMIC_SET, p, size, name);
}

SM_EXPORT void stalemate_unit_begin(const volatile void *p)
{
    emit(SM_EV_UNIT_BEGIN, p, 0, SM_CALLER());
}

SM_EXPORT void stalemate_unit_end(const volatile void *p)
{
    emit(SM_EV_UNIT_END, p, 0, SM_CALLER());
}

/* ---- SV-COMP ---- */

SM_EXPORT void __VERIFIER_assume(int condition)
{
    stalemate_assume(condition);
}

/* Small numbers, since programs assume their inputs small, and the limits of each type. The first
   is what a program gets when it runs without control. */
static const int64_t nondet_values[] = {
    0, 1, -1, 2, 3, 4, 5, 8, 10, 16, 100, 127, 128, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN,
};

/* A boolean has both its values; other types have more values than these. */
static int64_t nondet(bool truth, void *pc)
{
    if (truth)
        return choose(2, pc);
    if (sm_self() && sm_engine->sampled)
        sm_engine->sampled();
    return nondet_values[choose(SM_ARRAY_SIZE(nondet_values), pc)];
}

#define SM_NONDET(name, type)                                                                      \
    SM_EXPORT type __VERIFIER_nondet_##name(void);                                                 \
    type __VERIFIER_nondet_##name(void)                                                            \
    {                                                                                              \
        return (type)nondet((type)2 == (type)1, SM_CALLER());                                      \
    }
#include "core/libc/nondet.def"

/* NULL, or a pointer to unused memory. */
SM_EXPORT void *__VERIFIER_nondet_pointer(void)
{
    static max_align_t somewhere[256] SM_SELDOM;
    sm_seldom_touch(somewhere, sizeof somewhere);
    return choose(2, SM_CALLER()) ? somewhere : NULL;
}

/* No other thread runs inside an atomic section; the mutex is for a section that blocks, for
   happens-before between sections, and for programs that run without control. Other engines order
   sections themselves; for them the mutex only identifies the section. */
static pthread_mutex_t atomic_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

SM_EXPORT void __VERIFIER_atomic_begin(void)
{
    if (!sm_self()) {
        SM_REAL(pthread_mutex_lock)(&atomic_section);
        return;
    }
    sm_engine->sync->section->begin(&atomic_section, SM_CALLER());
}

SM_EXPORT void __VERIFIER_atomic_end(void)
{
    if (!sm_self()) {
        SM_REAL(pthread_mutex_unlock)(&atomic_section);
        return;
    }
    sm_engine->sync->section->end(&atomic_section, SM_CALLER());
}

static _Noreturn void fail(const char *what)
{
    if (sm_self())
        sm_end(SM_END_ASSERT, SIGABRT, "%s was called", what);
    sm_warn("%s was called", what);
    abort();
}

SM_EXPORT void __VERIFIER_error(void)
{
    fail("__VERIFIER_error");
}

/* Most programs have their own. */
SM_EXPORT __attribute__((weak)) void reach_error(void)
{
    fail("reach_error");
}

/* ---- names of other tools ---- */

void sm_annotate_before(const volatile void *p, void *pc)
{
    emit(SM_EV_HAPPENS_BEFORE, p, 0, pc);
}

void sm_annotate_after(const volatile void *p, void *pc)
{
    emit(SM_EV_HAPPENS_AFTER, p, 0, pc);
}

void sm_annotate_locked(const volatile void *lock, int writes, void *pc)
{
    emit(writes ? SM_EV_WRITE_LOCK : SM_EV_READ_LOCK, lock, 0, pc);
}

void sm_annotate_unlocked(const volatile void *lock, int writes, void *pc)
{
    emit(writes ? SM_EV_WRITE_UNLOCK : SM_EV_READ_UNLOCK, lock, writes ? 0 : 1, pc);
}

void sm_annotate_benign(const volatile void *p, size_t size, const char *why)
{
    add_note(SM_NOTE_BENIGN, p, size, why);
}

static void change_count(uint32_t *count, int change)
{
    if (change > 0 || *count)
        *count += (uint32_t)change;
}

/* Stale values are legal only if every access is seen, so all are; but no race is reported. */
void sm_annotate_ignore(int change)
{
    if (sm_self())
        change_count(&sm_self()->ignored, change);
}

void sm_annotate_ignore_sync(int change)
{
    if (sm_self())
        change_count(&sm_self()->sync_ignored, change);
}
