/*
 * restart.h - runs executions in sequence in the same process, without forking.
 *
 * Before main everything that can change is saved: the writable data of the program and of its
 * libraries (except libc and the like), the initial thread's thread-local storage, and the
 * runtime's own data. When an execution has ended it is restored, the heaps and the runtime's
 * memory are emptied, and main runs again. Threads are fibers whose donors are kept. That costs
 * microseconds where a fork costs hundreds.
 *
 * Requires that the program keeps no state that we do not restore: files it leaves open, state
 * inside libc (locale, rand, stdio streams except stdout). Handlers registered with atexit are not
 * run.
 */
#ifndef SM_RUNTIME_RESTART_H
#define SM_RUNTIME_RESTART_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sm_donor;
struct sm_thread;

/* Runs executions, each by calling `execute` on the initial thread's stack, until the engine wants
   no more (sm_engine->next). Never returns. */
_Noreturn void sm_restart_run(struct sm_thread *(*start)(void), void (*execute)(void *), void *arg);

/* Executions restart in this process. */
bool sm_restart_on(void);
/* The last execution ended with a failure. */
bool sm_restart_failed(void);
/* The execution has ended and its end is recorded: continues with the next. */
_Noreturn void sm_restart_leave(void);

/* The program got this block before main: its contents are restored. Returns the block. */
void *sm_restart_early(void *block, size_t size);

/* Gives stdout a buffer outside the program's memory. Also for a replay of an execution that was
   found here: it must allocate the same. */
void sm_restart_buffer(void);
/* The program exits: flushes its output to stdout, or leaves it for the engine. */
void sm_restart_flush(void);
/* The contents of stdout's buffer; the second also empties it. */
size_t sm_restart_written(const char **text);
size_t sm_restart_output(const char **text);

/* For donor.c. The slot of the donor kept for a thread's number; NULL: none is kept. */
struct sm_donor **sm_restart_donor(uint32_t number);
void *sm_restart_save_tls(pthread_t handle);
void sm_restart_tls(pthread_t handle, const void *copy);

#endif
