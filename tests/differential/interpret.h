/*
 * interpret.h - the parts of the interpreter, all built with Stalemate.
 *
 * What the parts share between threads to do their work, they copy by turn_peek: only what the
 * program is about is an access.
 */
#ifndef INTERPRET_H
#define INTERPRET_H

#include <pthread.h>
#include <sys/types.h>

#include "program.h"

/* interpret.c */
void write_all_pools(bool freed);
/* Carries out the thread's operations, up to the next RETURN, whose turn it then is. */
void carry_on(void);
/* The turn of the thread's last operation is over. */
void pass_turn(void);
pthread_t handle_of(unsigned thread);
pid_t id_of(unsigned thread);

/* interpret_calls.c: HANDLE to REPLACE. Before it, in the initial thread: blocks the signals, opens
   what messages go through, and the descriptors. */
void open_channels(void);
void call(const struct operation *operation);

/* interpret_objects.c: ROBUST_LOCK to USE */
void initialise_objects(void);
void operate(const struct operation *operation);

#endif
