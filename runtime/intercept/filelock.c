#define _GNU_SOURCE
#include "filelock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "real.h"

/* ---- what a lock orders ---- */

/* Files have numbers, given when they are first locked: an inode differs from run to run.
   No object of the program lies at such an address. What finds no room shares the last. */
enum { MOST_FILES = 1024 };
static struct {
    dev_t device;
    ino_t inode;
} files[MOST_FILES] SM_SELDOM;
static uintptr_t n_files;

/* The address that stands for the file; NULL if it is none, or new and not to be added. */
static const void *object_of(int fd, bool add)
{
    struct stat status;
    if (sm_syscall(SYS_fstat, (long)fd, &status) < 0)
        return NULL;
    uintptr_t i = 0;
    while (i < n_files && (files[i].device != status.st_dev || files[i].inode != status.st_ino))
        i++;
    if (i == n_files && !add)
        return NULL;
    if (i == n_files && n_files < MOST_FILES) {
        sm_seldom_touch();
        files[i].device = status.st_dev;
        files[i].inode = status.st_ino;
        n_files++;
    }
    return (const void *)(i + 1);
}

static void order(int kind, int fd, bool add, void *pc)
{
    const void *object = object_of(fd, add);
    if (!object)
        return;
    struct sm_event event = sm_sync_event(kind, object, 0, pc);
    sm_sync(&event);
}

/* The lock of an open file was changed to this type. To share what one had alone is also to
   give it back. */
static void locked(int fd, short type, void *pc)
{
    int error = errno;
    if (type != F_WRLCK)
        order(SM_EV_HAPPENS_BEFORE, fd, true, pc);
    if (type != F_UNLCK)
        order(SM_EV_HAPPENS_AFTER, fd, true, pc);
    errno = error;
}

void sm_file_lock_close(int fd, void *pc)
{
    if (n_files)
        order(SM_EV_HAPPENS_BEFORE, fd, false, pc);
}

/* ---- the calls ---- */

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
