/*
 * libc.c - the interceptors of which core/libc.def says all: what is done before libc's function
 * is called, and after.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

#include "core/libc/real.h"
#include "native/intercept/io.h"
#include "native/intercept/message.h"
#include "native/sync.h"

/* ---- locks ---- */

/* Also from a dead owner. */
static void acquire_lock(void *lock, int result)
{
    if (result != 0 && result != EOWNERDEAD)
        return;
    sm_lock_taken(lock);
    sm_acquire_held(lock);
}

static void release_lock(void *lock)
{
    sm_lock_given_up(lock);
    sm_release_held(lock);
}

/* Readers acquire what writers released; writers acquire from both. */
static void acquire_exclusive(pthread_rwlock_t *lock, int result)
{
    acquire_lock(lock, result);
    if (result == 0)
        sm_acquire(lock, SM_KEY_READERS);
}

/* Which side unlocks? The lock itself knows: it has a writer exactly when this thread is it. */
static void release_rwlock(pthread_rwlock_t *lock)
{
    sm_lock_given_up(lock);
    sm_release(lock, lock->__data.__cur_writer ? SM_KEY_MAIN : SM_KEY_READERS);
}

static void acquire_sem(sem_t *semaphore, int result)
{
    int saved = errno;
    if (result == 0)
        sm_acquire(semaphore, SM_KEY_MAIN);
    errno = saved;
}

/* ---- the words of libc.def ---- */

#define NOTHING
#define ACQUIRE_LOCK(lock) acquire_lock((void *)(lock), it)
#define ACQUIRE_MTX(mutex) acquire_lock(mutex, it == thrd_success ? 0 : EINVAL)
#define ACQUIRE_SHARED(lock) acquire_lock(lock, it)
#define ACQUIRE_EXCLUSIVE(lock) acquire_exclusive(lock, it)
#define ACQUIRE_SEM(semaphore) acquire_sem(semaphore, it)
#define RELEASE_LOCK(lock) release_lock((void *)(lock))
#define RELEASE_RWLOCK(lock) release_rwlock(lock)
#define RELEASE(object) sm_release(object, SM_KEY_MAIN)
#define FORGET(object) sm_forget(object)
#define FORGET_PART(object) sm_forget_part((void *)(object))
/* The running call got something if its result is not negative. */
#define ACQUIRE_FD(fd) (it >= 0 ? sm_fd_takes(fd) : (void)0)
#define ACQUIRE_FILE(fd) (it >= 0 ? sm_file_takes(fd) : (void)0)
#define ACQUIRE_QUEUE(queue) (it >= 0 ? sm_queue_takes(queue) : (void)0)
#define ACQUIRE_SIGNAL(signo) sm_signal_takes(signo)
#define RELEASE_FD(fd) sm_fd_gives(fd)
#define RELEASE_CLOSED(fd) sm_fd_closes(fd)
#define RELEASE_FILE(fd) sm_file_gives(fd)
#define RELEASE_QUEUE(queue) sm_queue_gives(queue)
#define RELEASE_SIGNAL(signo) sm_signal_gives(signo)
/* Buffers; with MSG_TRUNC a result is the length of what came, which may be more than fits. */
#define AT_MOST(n, size) ((n) > (ssize_t)(size) ? (ssize_t)(size) : (n))
#define WRITTEN(buffer, n) sm_buffer_written(buffer, (ssize_t)(n))
#define READ(buffer, n) sm_buffer_read(buffer, (ssize_t)(n))
#define WRITTEN_PARTS(parts, n) sm_parts_written(parts, (size_t)(n), it)
#define READ_PARTS(parts, n) sm_parts_read(parts, (size_t)(n), it)
#define SEND(fd, buffer, size) bool sent = sm_send_buffer(fd, buffer, size)
#define SENT(buffer) (sent ? (void)0 : sm_buffer_read(buffer, it))
#define SEND_PARTS(fd, parts, n) bool sent = sm_send_parts(fd, parts, (size_t)(n))
#define SENT_PARTS(parts, n) (sent ? (void)0 : sm_parts_read(parts, (size_t)(n), it))

#define MADE(result, name, parameters, arguments, before, after)                                   \
    SM_EXPORT result name parameters;                                                              \
    SM_EXPORT result name parameters                                                               \
    {                                                                                              \
        before;                                                                                    \
        result it = SM_REAL(name) arguments;                                                       \
        after;                                                                                     \
        return it;                                                                                 \
    }
#define MADE_BOTH MADE
#define MADE_NATIVE MADE
#define SM_LIBC(result, name, parameters, arguments, by, blocks, before, after, verify)            \
    MADE_##by(result, name, parameters, arguments, before, after)
#define SM_LIBC_C(name, by, blocks, edges, memory, verify)
#include "core/libc.def"

SM_EXPORT void mtx_destroy(mtx_t *mutex)
{
    sm_forget(mutex);
    SM_REAL(mtx_destroy)(mutex);
}
