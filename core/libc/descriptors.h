/*
 * descriptors.h - races on file descriptors: one thread closes what another uses.
 *
 * A descriptor is a byte of memory here: a call that uses it is an atomic read of the byte, close a
 * write (range.h). Only descriptors that calls known here have made count, and only while they are
 * what was made: libc closes and opens some by itself, unseen. The first 1,024 numbers have a byte.
 */
#ifndef SM_CORE_LIBC_DESCRIPTORS_H
#define SM_CORE_LIBC_DESCRIPTORS_H

#include <stdint.h>

/* What reports call one: a format for its number. */
#define SM_DESCRIPTOR_NAME "file descriptor %d"

/* A call has made it; nothing if it is negative. errno stays, in all of these. */
void sm_descriptor_opened(int fd);
/* Before the call; pc: where it returns to (callers.h). */
void sm_descriptor_used(int fd, const void *pc);
void sm_descriptor_closes(int fd, const void *pc);
/* The descriptor that the byte is of; -1: of none. */
int sm_descriptor_at(uintptr_t addr);

#endif
