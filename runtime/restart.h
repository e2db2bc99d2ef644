/*
 * restart.h - one execution after the other in the same process, nothing forked.
 *
 * Before main everything that can change is saved: the writable data of the program and of
 * its libraries (but libc and its kin), the initial thread's thread-local storage, and the
 * runtime's own data. When an execution has ended it is put back, the heaps are emptied,
 * the runtime's memory starts afresh, and main runs again. Threads are fibers whose donors
 * are kept. That costs microseconds where a fork costs hundreds.
 *
 * Possible where the program keeps no state that we do not restore: files it leaves open,
 * state inside libc (locale, rand, stdio streams but stdout).
 * Handlers registered with atexit are not run.
 */
#ifndef SM_RUNTIME_RESTART_H
#define SM_RUNTIME_RESTART_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sm_donor;
struct sm_thread;

/* Runs executions, each by calling `execute` on the initial thread's stack, until the
   engine has seen enough (sm_engine->next). Never returns. */
_Noreturn void sm_restart_run(struct sm_thread *(*start)(void), void (*execute)(void *), void *arg);

/* Executions restart in this process. */
bool sm_restart_on(void);
/* The execution that has just ended did so by a failure. */
bool sm_restart_failed(void);
/* The execution has ended and its end is written down: on to the next. */
_Noreturn void sm_restart_leave(void);

/* The program got this block from libc, before main: it is put back as it was, and not given back
   to libc while executions restart. Returns the block. */
void *sm_restart_early(void *block, size_t size);

/* Gives stdout a buffer that is not the program's. Also for a replay of an execution that was
   found here: it must allocate what that one did. */
void sm_restart_buffer(void);
/* The program exits: what it has written to stdout goes out, or stays for the engine. */
void sm_restart_flush(void);
/* What is in stdout's buffer; and it no longer is. */
size_t sm_restart_written(const char **text);
size_t sm_restart_output(const char **text);

/* For donor.c. The place of the donor kept for a thread's number; NULL: none is kept. */
struct sm_donor **sm_restart_donor(uint32_t number);
void *sm_restart_save_tls(pthread_t handle);
void sm_restart_tls(pthread_t handle, const void *copy);

#endif
