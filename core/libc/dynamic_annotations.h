/*
 * dynamic_annotations.h - the annotations for ThreadSanitizer, Helgrind and DRD, in terms of what
 * both flavours support.
 *
 * dynamic_annotations.c defines the names, once for both runtimes; each runtime defines the
 * functions below. `pc` is the return address in the program.
 */
#ifndef SM_CORE_LIBC_DYNAMIC_ANNOTATIONS_H
#define SM_CORE_LIBC_DYNAMIC_ANNOTATIONS_H

#include <stddef.h>

void sm_annotate_before(const volatile void *p, void *pc);
void sm_annotate_after(const volatile void *p, void *pc);
void sm_annotate_benign(const volatile void *p, size_t size, const char *why);
/* The program's own lock has been acquired, is about to be released. */
void sm_annotate_locked(const volatile void *lock, int writes, void *pc);
void sm_annotate_unlocked(const volatile void *lock, int writes, void *pc);
/* Accesses of the running thread are ignored while the sum is positive. */
void sm_annotate_ignore(int change);
/* Its synchronisation is ignored, except annotations. */
void sm_annotate_ignore_sync(int change);

#endif
