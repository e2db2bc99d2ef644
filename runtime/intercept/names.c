#define _GNU_SOURCE
#include "runtime/intercept/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/control.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/real.h"

/* ---- one execution at a time ---- */

static int held = -1; /* the program's file, with the lock */

/* An execution that never ends, or stands in a debugger, does not stop the others for ever. */
enum { WAIT_MILLISECONDS = 60000 };

static void wait_for_turn(int fd)
{
    struct timespec moment = {.tv_nsec = 1000000};
    sm_control->queued = 1;
    for (int i = 0; i < WAIT_MILLISECONDS; i++) {
        if (sm_syscall(SYS_flock, (long)fd, (long)(LOCK_EX | LOCK_NB)) != -EWOULDBLOCK)
            break;
        sm_syscall(SYS_nanosleep, &moment, NULL);
    }
    sm_control->queued = 0;
}

static void hold(void)
{
    long fd = sm_syscall(SYS_open, "/proc/self/exe", (long)(O_RDONLY | O_CLOEXEC), 0L);
    if (fd < 0)
        return;
    held = sm_io_private_fd((int)fd);
    wait_for_turn(held);
}

void sm_names_done(void)
{
    if (held >= 0)
        sm_syscall(SYS_close, (long)held);
    held = -1;
}

/* ---- names ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool holds_id(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        long number = 0;
        for (; i < size && is_digit(text[i]); i++)
            number = number < SM_PID_END ? 10 * number + (text[i] - '0') : number;
        if (number >= SM_PID && number < SM_PID_END)
            return true;
    }
    return false;
}

static void used(const char *text, size_t size)
{
    if (held < 0 && sm_self() && holds_id(text, size))
        hold();
}

void sm_name_used(const char *name)
{
    if (name)
        used(name, strlen(name));
}

void sm_address_used(const struct sockaddr *address, socklen_t length)
{
    const size_t before = offsetof(struct sockaddr, sa_data);
    if (address && length > before && address->sa_family == AF_UNIX)
        used(address->sa_data, length - before);
}

static void key_used(key_t key)
{
    if (held < 0 && sm_self() && key >= SM_PID && key < SM_PID_END)
        hold();
}

/* ---- calls that only pass names on ---- */

#define NAMED(result, function, parameters, arguments, uses)                                       \
    SM_EXPORT result function parameters                                                           \
    {                                                                                              \
        uses;                                                                                      \
        return SM_REAL(function) arguments;                                                        \
    }

NAMED(int, access, (const char *path, int mode), (path, mode), sm_name_used(path))
NAMED(int, mkdir, (const char *path, mode_t mode), (path, mode), sm_name_used(path))
NAMED(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), sm_name_used(path))
NAMED(int, mkfifo, (const char *path, mode_t mode), (path, mode), sm_name_used(path))
NAMED(int, symlink, (const char *to, const char *path), (to, path), sm_name_used(path))
NAMED(int, link, (const char *from, const char *to), (from, to), sm_name_used(from);
      sm_name_used(to))
NAMED(int, rename, (const char *from, const char *to), (from, to), sm_name_used(from);
      sm_name_used(to))
NAMED(int, unlink, (const char *path), (path), sm_name_used(path))
NAMED(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), sm_name_used(path))
NAMED(int, remove, (const char *path), (path), sm_name_used(path))
NAMED(int, rmdir, (const char *path), (path), sm_name_used(path))
NAMED(DIR *, opendir, (const char *path), (path), sm_name_used(path))
NAMED(int, sem_unlink, (const char *name), (name), sm_name_used(name))
NAMED(int, mq_unlink, (const char *name), (name), sm_name_used(name))
NAMED(int, msgget, (key_t key, int flags), (key, flags), key_used(key))
NAMED(int, semget, (key_t key, int n, int flags), (key, n, flags), key_used(key))
NAMED(int, shmget, (key_t key, size_t size, int flags), (key, size, flags), key_used(key))

SM_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    sm_name_used(name);
    return SM_REAL(sem_open)(name, flags, mode, value);
}

SM_EXPORT mqd_t mq_open(const char *name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    struct mq_attr *attributes = flags & O_CREAT ? va_arg(arguments, struct mq_attr *) : NULL;
    va_end(arguments);
    sm_name_used(name);
    return SM_REAL(mq_open)(name, flags, mode, attributes);
}
