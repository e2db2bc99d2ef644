/*
 * descriptors.h - races on file descriptors: one thread closes a descriptor that another uses.
 *
 * A descriptor is represented by a byte of memory: a call that uses it is an atomic read of the
 * byte, close is a write (range.h). Only descriptors opened by intercepted calls count, and only
 * while they refer to the same file: libc opens and closes some internally. The first 1,024
 * descriptors have a byte.
 */
#ifndef SM_CORE_LIBC_DESCRIPTORS_H
#define SM_CORE_LIBC_DESCRIPTORS_H

#include <stdint.h>

/* The name in reports: a format for its number. */
#define SM_DESCRIPTOR_NAME "file descriptor %d"

/* A call has opened it; nothing if it is negative. All of these preserve errno. */
void sm_descriptor_opened(int fd);
/* Before the call; pc: its return address (callers.h). */
void sm_descriptor_used(int fd, const void *pc);
void sm_descriptor_closes(int fd, const void *pc);
/* The descriptor that the byte represents; -1: none. */
int sm_descriptor_at(uintptr_t addr);

#endif
