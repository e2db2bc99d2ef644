#define _GNU_SOURCE
#include "runtime/intercept/filelock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"

/* The lock of an open file was changed to this type. Downgrading from exclusive to shared also
   releases. */
static void locked(int fd, short type, void *pc)
{
    if (type != F_WRLCK)
        sm_file_gives(fd, pc);
    if (type != F_UNLCK)
        sm_file_takes(fd, pc);
}

static short type_of(int operation)
{
    switch (operation & ~LOCK_NB) {
    case LOCK_UN:
        return F_UNLCK;
    case LOCK_SH:
        return F_RDLCK;
    default:
        return F_WRLCK;
    }
}

SM_EXPORT int flock(int fd, int operation)
{
    SM_PASS(flock, fd, operation);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    unsigned tries = 0;
    int result;
    while ((result = SM_REAL(flock)(fd, operation | LOCK_NB)) < 0 && errno == EWOULDBLOCK &&
           !(operation & LOCK_NB) && sm_io_retry(&tries, &event))
        ;
    if (result == 0)
        locked(fd, type_of(operation), SM_CALLER());
    return (int)sm_io_end(&event, result);
}

bool sm_is_file_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
           command == F_OFD_SETLKW;
}

int sm_file_lock(int fd, int command, struct flock *lock, void *pc)
{
    struct sm_event event = sm_io_begin(fd, pc);
    bool own = command == F_OFD_SETLK || command == F_OFD_SETLKW;
    bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
    unsigned tries = 0;
    int result;
    while ((result = SM_REAL(fcntl)(fd, own ? F_OFD_SETLK : F_SETLK, lock)) < 0 && waits &&
           (errno == EAGAIN || errno == EACCES) && sm_io_retry(&tries, &event))
        ;
    if (result == 0 && own)
        locked(fd, lock->l_type, pc);
    return (int)sm_io_end(&event, result);
}

SM_EXPORT int lockf(int fd, int command, off_t size)
{
    if (!sm_self() || command != F_LOCK)
        return SM_REAL(lockf)(fd, command, size);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    unsigned tries = 0;
    int result;
    while ((result = SM_REAL(lockf)(fd, F_TLOCK, size)) < 0 &&
           (errno == EAGAIN || errno == EACCES) && sm_io_retry(&tries, &event))
        ;
    return (int)sm_io_end(&event, result);
}
