/*
 * dynamic_annotations.h - the names that programs use to talk to ThreadSanitizer, Helgrind and
 * DRD, in terms of what either flavour of ours can do.
 *
 * dynamic_annotations.c defines the names, once for both runtimes; each runtime defines the
 * functions below. `pc` is where the program calls from.
 */
#ifndef SM_CORE_LIBC_DYNAMIC_ANNOTATIONS_H
#define SM_CORE_LIBC_DYNAMIC_ANNOTATIONS_H

#include <stddef.h>

void sm_annotate_before(const volatile void *p, void *pc);
void sm_annotate_after(const volatile void *p, void *pc);
void sm_annotate_benign(const volatile void *p, size_t size, const char *why);
/* A lock of the program's own making has been taken, is about to be given up. */
void sm_annotate_locked(const volatile void *lock, int writes, void *pc);
void sm_annotate_unlocked(const volatile void *lock, int writes, void *pc);
/* Accesses of the running thread are not to be looked at while the sum is positive. */
void sm_annotate_ignore(int change);
/* What it does to order threads is not to count, but for the annotations. */
void sm_annotate_ignore_sync(int change);

#endif
