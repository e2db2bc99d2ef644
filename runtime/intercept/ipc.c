/* Message queues and semaphores of System V, and message queues of POSIX. */
#define _GNU_SOURCE
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"

/* ---- System V: nothing to poll, so the non-blocking variant is retried ---- */

SM_EXPORT int msgsnd(int queue, const void *message, size_t size, int flags)
{
    SM_PASS(msgsnd, queue, message, size, flags);
    struct sm_event event = sm_io_begin(0, SM_CALLER());
    sm_ipc_gives(SM_IPC_QUEUE, queue, SM_CALLER());
    unsigned tries = 0;
    int result;
    while ((result = SM_REAL(msgsnd)(queue, message, size, flags | IPC_NOWAIT)) < 0 &&
           errno == EAGAIN && !(flags & IPC_NOWAIT) && sm_io_retry(&tries, &event))
        ;
    return (int)sm_io_end(&event, result);
}

SM_EXPORT ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
    SM_PASS(msgrcv, queue, message, size, type, flags);
    struct sm_event event = sm_io_begin(0, SM_CALLER());
    unsigned tries = 0;
    ssize_t result;
    while ((result = SM_REAL(msgrcv)(queue, message, size, type, flags | IPC_NOWAIT)) < 0 &&
           errno == ENOMSG && !(flags & IPC_NOWAIT) && sm_io_retry(&tries, &event))
        ;
    if (result >= 0)
        sm_ipc_takes(SM_IPC_QUEUE, queue, SM_CALLER());
    return sm_io_end(&event, result);
}

static int operate(int set, struct sembuf *operations, size_t n, uint64_t deadline,
                   struct sm_event *event, void *pc)
{
    struct sembuf attempt[n];
    bool may_wait = true, posts = false, waits = false;
    for (size_t i = 0; i < n; i++) {
        attempt[i] = operations[i];
        attempt[i].sem_flg |= IPC_NOWAIT;
        may_wait &= !(operations[i].sem_flg & IPC_NOWAIT);
        posts |= operations[i].sem_op > 0;
        waits |= operations[i].sem_op <= 0;
    }
    unsigned tries = 0;
    int result;
    if (posts)
        sm_ipc_gives(SM_IPC_SEMAPHORES, set, pc);
    while ((result = SM_REAL(semop)(set, attempt, n)) < 0 && errno == EAGAIN && may_wait &&
           sm_now() < deadline && sm_io_retry(&tries, event))
        ;
    if (result == 0 && waits)
        sm_ipc_takes(SM_IPC_SEMAPHORES, set, pc);
    return result;
}

static int controlled_semop(int set, struct sembuf *operations, size_t n, uint64_t deadline,
                            void *pc)
{
    enum { MOST_SEMAPHORES = 500 }; /* SEMOPM, the kernel's default */
    struct sm_event event = sm_io_begin(0, pc);
    if (n <= MOST_SEMAPHORES)
        return (int)sm_io_end(&event, operate(set, operations, n, deadline, &event, pc));
    errno = E2BIG;
    return (int)sm_io_end(&event, -1);
}

SM_EXPORT int semop(int set, struct sembuf *operations, size_t n)
{
    SM_PASS(semop, set, operations, n);
    return controlled_semop(set, operations, n, SM_NO_DEADLINE, SM_CALLER());
}

SM_EXPORT int semtimedop(int set, struct sembuf *operations, size_t n,
                         const struct timespec *timeout)
{
    SM_PASS(semtimedop, set, operations, n, timeout);
    return controlled_semop(set, operations, n, sm_io_deadline(timeout), SM_CALLER());
}

/* ---- POSIX: on Linux a queue is a descriptor ---- */

/* Yields until the queue is ready; errno is ETIMEDOUT where a descriptor gives EAGAIN. */
static bool queue_ready(mqd_t queue, short events, const struct timespec *when,
                        struct sm_event *event)
{
    uint64_t deadline = when ? sm_deadline(CLOCK_REALTIME, when) : SM_NO_DEADLINE;
    if (sm_io_ready(queue, events, deadline, event))
        return true;
    if (errno == EAGAIN)
        errno = ETIMEDOUT;
    return false;
}

static ssize_t take(mqd_t queue, char *message, size_t size, unsigned *priority,
                    const struct timespec *when, void *pc)
{
    struct sm_event event = sm_io_begin(queue, pc);
    if (!queue_ready(queue, POLLIN, when, &event))
        return sm_io_end(&event, -1);
    ssize_t result = SM_REAL(mq_receive)(queue, message, size, priority);
    sm_fds_changed();
    if (result >= 0)
        sm_file_takes(queue, pc);
    return sm_io_end(&event, result);
}

static int put(mqd_t queue, const char *message, size_t size, unsigned priority,
               const struct timespec *when, void *pc)
{
    struct sm_event event = sm_io_begin(queue, pc);
    if (!queue_ready(queue, POLLOUT, when, &event))
        return (int)sm_io_end(&event, -1);
    sm_file_gives(queue, pc);
    int result = SM_REAL(mq_send)(queue, message, size, priority);
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

SM_EXPORT ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority)
{
    SM_PASS(mq_receive, queue, message, size, priority);
    return take(queue, message, size, priority, NULL, SM_CALLER());
}

SM_EXPORT ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t size,
                                  unsigned *restrict priority, const struct timespec *restrict when)
{
    SM_PASS(mq_timedreceive, queue, message, size, priority, when);
    return take(queue, message, size, priority, when, SM_CALLER());
}

SM_EXPORT int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority)
{
    SM_PASS(mq_send, queue, message, size, priority);
    return put(queue, message, size, priority, NULL, SM_CALLER());
}

SM_EXPORT int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                           const struct timespec *when)
{
    SM_PASS(mq_timedsend, queue, message, size, priority, when);
    return put(queue, message, size, priority, when, SM_CALLER());
}
