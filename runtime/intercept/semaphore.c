/* The functions of semaphore.h. sem_open is libc's: a named semaphore is a mapping like any other;
   its value is read at its first use and written back when it is closed. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>

#include "runtime/intercept/cancel.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/object.h"
#include "runtime/sync/sync.h"

static int to_errno(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

SM_EXPORT int sem_init(sem_t *sem, int shared, unsigned value)
{
    SM_PASS(sem_init, sem, shared, value);
    int result = SM_REAL(sem_init)(sem, shared, value);
    if (!result)
        sm_sem_renew(sem, SM_CALLER());
    return result;
}

SM_EXPORT int sem_destroy(sem_t *sem)
{
    SM_PASS(sem_destroy, sem);
    return sm_sem_destroy(sem, SM_CALLER());
}

SM_EXPORT int sem_close(sem_t *sem)
{
    SM_PASS(sem_close, sem);
    sm_sem_write_back(sem);
    sm_object_forget(sem);
    return SM_REAL(sem_close)(sem);
}

SM_EXPORT int sem_wait(sem_t *sem)
{
    SM_PASS(sem_wait, sem);
    sm_test_cancel();
    return to_errno(sm_sem_wait(sem, SM_FOREVER, SM_CALLER()));
}

SM_EXPORT int sem_trywait(sem_t *sem)
{
    SM_PASS(sem_trywait, sem);
    return to_errno(sm_sem_wait(sem, (struct sm_limit){0, EAGAIN}, SM_CALLER()));
}

SM_EXPORT int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict when)
{
    SM_PASS(sem_timedwait, sem, when);
    sm_test_cancel();
    return to_errno(sm_sem_wait(sem, sm_until(CLOCK_REALTIME, when), SM_CALLER()));
}

SM_EXPORT int sem_clockwait(sem_t *restrict sem, clockid_t clock,
                            const struct timespec *restrict when)
{
    SM_PASS(sem_clockwait, sem, clock, when);
    if (!sm_clock_valid(clock))
        return to_errno(EINVAL);
    sm_test_cancel();
    return to_errno(sm_sem_wait(sem, sm_until(clock, when), SM_CALLER()));
}

SM_EXPORT int sem_post(sem_t *sem)
{
    SM_PASS(sem_post, sem);
    return to_errno(sm_sem_post(sem, SM_CALLER()));
}

SM_EXPORT int sem_getvalue(sem_t *restrict sem, int *restrict value)
{
    SM_PASS(sem_getvalue, sem, value);
    return to_errno(sm_sem_getvalue(sem, value));
}
