/*
 * libc.c - the interceptors that core/libc.def describes completely: what to do before and after
 * calling libc's function.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "core/libc/callers.h"
#include "core/libc/descriptors.h"
#include "core/libc/output.h"
#include "core/libc/ready.h"
#include "core/libc/real.h"
#include "core/openmp/openmp.h"
#include "native/intercept/io.h"
#include "native/intercept/message.h"
#include "native/intercept/stream.h"
#include "native/misuse.h"
#include "native/order.h"
#include "native/sync.h"
#include "native/uses.h"

/* ---- locks ---- */

/* Also after EOWNERDEAD. */
static void acquire_lock(void *lock, int result, uint32_t how)
{
    if (result != 0 && result != EOWNERDEAD) {
        sm_lock_is_tried(lock);
        return;
    }
    sm_lock_is_used(lock);
    sm_order_taken((uintptr_t)lock, how);
    sm_lock_taken(lock, how);
    sm_acquire_held(lock);
}

static void release_lock(void *lock)
{
    sm_lock_given_up(lock);
    sm_release_held(lock);
}

static void release_mutex(pthread_mutex_t *mutex)
{
    sm_check_unlock(mutex);
    if (!sm_unlock_is_refused(mutex))
        release_lock(mutex);
}

/* Gives the lock a number, which distinguishes it from others at its address: see order.c. */
static void number_rwlock(pthread_rwlock_t *lock, int result)
{
    uint64_t *mark = result == 0 ? sm_rwlock_mark(lock) : NULL;
    if (mark)
        sm_mark_number(mark);
}

/* Readers acquire what writers released; writers acquire from both. */
static void acquire_shared(pthread_rwlock_t *lock, int result, uint32_t how)
{
    number_rwlock(lock, result);
    acquire_lock(lock, result, SM_HOLD_RWLOCK | SM_HOLD_SHARED | how);
}

static void acquire_exclusive(pthread_rwlock_t *lock, int result, uint32_t how)
{
    number_rwlock(lock, result);
    acquire_lock(lock, result, how | SM_HOLD_RWLOCK);
    if (result == 0)
        sm_acquire_lock(lock, SM_KEY_READERS);
}

/* A reader or a writer unlocks; the lock knows which: it has a writer only if this thread is it. */
static void release_rwlock(pthread_rwlock_t *lock)
{
    sm_check_rwlock_unlock(lock);
    sm_lock_given_up(lock);
    sm_release_lock(lock, lock->__data.__cur_writer ? SM_KEY_MAIN : SM_KEY_READERS);
}

static void begun(uint64_t *mark)
{
    sm_mark_set_life(mark, SM_LIFE_INITIALISED);
}

static void ended(uint64_t *mark)
{
    sm_mark_set_life(mark, SM_LIFE_DESTROYED);
}

static void acquire_sem(sem_t *semaphore, int result)
{
    int saved = errno;
    if (result == 0)
        sm_acquire(semaphore, SM_KEY_MAIN);
    errno = saved;
}

/* ---- waiting for descriptors ---- */

static void acquire_polled(const struct pollfd *fds, nfds_t n, int result)
{
    for (nfds_t i = 0; result > 0 && i < n; i++)
        if (sm_poll_tells(&fds[i]))
            sm_fd_takes(fds[i].fd);
}

static void acquire_selected(int n, const fd_set *readable, const fd_set *exceptional, int result)
{
    for (int fd = 0; result > 0 && fd < n; fd++)
        if ((readable && FD_ISSET(fd, readable)) || (exceptional && FD_ISSET(fd, exceptional)))
            sm_fd_takes(fd);
}

/* ---- timers ---- */

static int signal_of_timer(__itimer_which_t which)
{
    return which == ITIMER_REAL ? SIGALRM : which == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF;
}

/* ---- the words of libc.def ---- */

#define NOTHING
/* `how` is 0 or TRIED: the call does not wait for ever. */
#define TRIED SM_HOLD_TRIED
#define CHECK_LOCK(mutex, how) sm_check_lock((pthread_mutex_t *)(mutex), !(how))
#define CHECK_RWLOCK(lock, writes, how) sm_check_rwlock(lock, writes, !(how))
#define CHECK_SPIN(spin) sm_check_spin(spin)
#define CHECK_SEM(semaphore)                                                                       \
    sm_object_is_used(semaphore, SM_CALLER());                                                     \
    sm_check_sem(semaphore)
#define CHECK_COND(cond) sm_check_cond(cond)
#define SIGNAL_COND(cond)                                                                          \
    sm_object_is_used(cond, SM_CALLER());                                                          \
    sm_check_cond(cond);                                                                           \
    sm_wait_is_signalled(cond)
#define ACQUIRE_LOCK(mutex, how) acquire_lock(mutex, it, SM_HOLD_MUTEX | (how))
#define ACQUIRE_SPIN(spin, how) acquire_lock((void *)(spin), it, SM_HOLD_SPIN | (how))
#define ACQUIRE_MTX(mutex, how)                                                                    \
    acquire_lock(mutex, it == thrd_success ? 0 : EINVAL, SM_HOLD_MUTEX | (how))
#define ACQUIRE_SHARED(lock, how) acquire_shared(lock, it, how)
#define ACQUIRE_EXCLUSIVE(lock, how) acquire_exclusive(lock, it, how)
#define ACQUIRE_SEM(semaphore) acquire_sem(semaphore, it)
#define RELEASE_LOCK(mutex) release_mutex((pthread_mutex_t *)(mutex))
#define RELEASE_SPIN(spin)                                                                         \
    sm_check_spin_unlock(spin);                                                                    \
    release_lock((void *)(spin))
#define RELEASE_RWLOCK(lock) release_rwlock(lock)
#define RELEASE_SEM(semaphore)                                                                     \
    CHECK_SEM(semaphore);                                                                          \
    sm_release(semaphore, SM_KEY_MAIN)
/* Initialisation and destruction of an object. */
#define BEGIN_OBJECT(object) sm_object_begins(object, SM_CALLER())
#define BEGIN_MUTEX(mutex)                                                                         \
    sm_check_init((pthread_mutex_t *)(mutex));                                                     \
    BEGIN_OBJECT(mutex)
#define MUTEX_BEGUN(mutex, ok) begun((ok) ? sm_mutex_mark((pthread_mutex_t *)(mutex)) : NULL)
#define SEM_BEGUN(semaphore) begun(it == 0 ? sm_sem_mark(semaphore) : NULL)
#define END_MUTEX(mutex)                                                                           \
    sm_check_destroy((pthread_mutex_t *)(mutex));                                                  \
    sm_object_ends(mutex, SM_CALLER())
#define END_RWLOCK(lock)                                                                           \
    sm_check_rwlock_destroy(lock);                                                                 \
    sm_object_ends(lock, SM_CALLER())
#define RWLOCK_ENDED(lock) ended(it == 0 ? sm_rwlock_mark(lock) : NULL)
#define END_SPIN(spin)                                                                             \
    sm_check_spin_destroy(spin);                                                                   \
    sm_object_part_ends(spin, SM_CALLER())
#define END_SEM(semaphore)                                                                         \
    sm_check_sem_destroy(semaphore);                                                               \
    sm_object_ends(semaphore, SM_CALLER())
#define SEM_ENDED(semaphore) ended(it == 0 ? sm_sem_mark(semaphore) : NULL)
#define END_COND(cond)                                                                             \
    sm_check_cond_destroy(cond);                                                                   \
    sm_object_ends(cond, SM_CALLER())
/* The call acquires if its result is not negative. */
#define ACQUIRE_FD(fd) (it >= 0 ? sm_fd_takes(fd) : (void)0)
/* What epoll_ctl registered is there when a wait returns it, and so is what made it ready. */
#define ACQUIRE_READY(fd) (it > 0 ? (sm_fd_takes(fd), sm_watched_take()) : (void)0)
#define WATCH_FD(fd) sm_fd_watched(fd)
#define ACQUIRE_POLLED(fds, n) acquire_polled(fds, n, it)
#define ACQUIRE_SELECTED(n, readable, exceptional) acquire_selected(n, readable, exceptional, it)
#define USE_FD(fd) sm_descriptor_used(fd, SM_CALLER())
#define CLOSE_FD(fd)                                                                               \
    sm_fd_changed();                                                                               \
    sm_descriptor_closes(fd, SM_CALLER())
#define REPLACE_FD(fd, to)                                                                         \
    USE_FD(fd);                                                                                    \
    if ((fd) != (to)) {                                                                            \
        CLOSE_FD(to);                                                                              \
    }
#define OPENED(fd) sm_descriptor_opened(fd)
#define OPENED_TWO(ends) (it == 0 ? (OPENED((ends)[0]), OPENED((ends)[1])) : (void)0)
#define ACQUIRE_FILE(fd) (it >= 0 ? sm_file_takes(fd) : (void)0)
#define ACQUIRE_QUEUE(queue) (it >= 0 ? sm_queue_takes(queue) : (void)0)
#define ACQUIRE_SIGNAL(signo) sm_signal_takes(signo)
#define RELEASE_FD(fd) sm_fd_gives(fd)
#define RELEASE_STREAM(stream) sm_stream_gives(stream, SM_CALLER())
#define ACQUIRE_STREAM(stream) sm_stream_takes(stream)
#define RELEASE_CLOSED(fd) sm_fd_closes(fd)
#define RELEASE_FILE(fd) sm_file_gives(fd)
#define RELEASE_QUEUE(queue) sm_queue_gives(queue)
#define RELEASE_SIGNAL(signo) sm_signal_gives(signo)
#define RELEASE_INTERVAL_TIMER(which) sm_signal_gives(signal_of_timer(which))
#define RELEASE_TIMER sm_timer_gives()
#define SIGNALFD_MADE sm_signalfd_made()
#define RELEASE_CHILD sm_child_gives()
#define ACQUIRE_CHILD(ended) ((ended) ? sm_child_takes() : (void)0)
/* Buffers; with MSG_TRUNC the result is the full length of the message, which may exceed the
   buffer. */
#define AT_MOST(n, size) ((n) > (ssize_t)(size) ? (ssize_t)(size) : (n))
#define IF_COUNTS(access) (sm_caller_counts(SM_CALLER()) ? access : (void)0)
#define WRITTEN(buffer, n) IF_COUNTS(sm_buffer_written(buffer, (ssize_t)(n)))
#define READ(buffer, n) IF_COUNTS(sm_buffer_read(buffer, (ssize_t)(n)))
#define WRITTEN_PARTS(parts, n) IF_COUNTS(sm_parts_written(parts, (size_t)(n), it))
#define READ_PARTS(parts, n) IF_COUNTS(sm_parts_read(parts, (size_t)(n), it))
#define SEND(fd, buffer, size)                                                                     \
    USE_FD(fd);                                                                                    \
    bool sent = sm_send_buffer(fd, buffer, size, SM_CALLER())
#define SENT(buffer) (sent ? (void)0 : READ(buffer, it))
#define SEND_PARTS(fd, parts, n)                                                                   \
    USE_FD(fd);                                                                                    \
    bool sent = sm_send_parts(fd, parts, (size_t)(n), SM_CALLER())
#define SENT_PARTS(parts, n) (sent ? (void)0 : READ_PARTS(parts, n))

#define MADE(result, name, parameters, arguments, before, after)                                   \
    SM_EXPORT result name parameters;                                                              \
    SM_EXPORT result name parameters                                                               \
    {                                                                                              \
        if (sm_openmp_calls(SM_CALLER()))                                                          \
            return SM_REAL(name) arguments;                                                        \
        before;                                                                                    \
        result it = SM_REAL(name) arguments;                                                       \
        after;                                                                                     \
        return it;                                                                                 \
    }
#define MADE_BOTH MADE
#define MADE_LIBRARY_BOTH MADE
#define MADE_NATIVE MADE
#define SM_LIBC(result, name, parameters, arguments, by, blocks, before, after, verify)            \
    MADE_##by(result, name, parameters, arguments, before, after)
#define SM_LIBC_C(name, by, blocks, edges, memory, verify)
#include "core/libc.def"

SM_EXPORT void cnd_destroy(cnd_t *cond)
{
    END_COND((pthread_cond_t *)cond);
    SM_REAL(cnd_destroy)(cond);
}

SM_EXPORT void mtx_destroy(mtx_t *mutex)
{
    END_MUTEX(mutex);
    SM_REAL(mtx_destroy)(mutex);
}
