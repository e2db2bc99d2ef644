/* Calls that open, copy and close descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/libc/descriptors.h"
#include "runtime/aside.h"
#include "runtime/intercept/filelock.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/intercept/signalfd.h"
#include "runtime/intercept/timer.h"

/* ---- descriptors of /dev/random and /dev/urandom ---- */

enum { RANDOM_FDS = 1024 };
static uint8_t random_fds[RANDOM_FDS / 8];

bool sm_io_is_random(int fd)
{
    return fd >= 0 && fd < RANDOM_FDS && random_fds[fd / 8] >> fd % 8 & 1;
}

static void set_random(int fd, bool random)
{
    if (fd < 0 || fd >= RANDOM_FDS)
        return;
    if (random)
        random_fds[fd / 8] |= (uint8_t)(1 << fd % 8);
    else
        random_fds[fd / 8] &= (uint8_t)~(1 << fd % 8);
}

static bool names_random(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

/* ---- races on descriptors ---- */

struct sm_event sm_io_begin_use(int fd, void *pc)
{
    struct sm_event event = sm_io_begin(fd, pc);
    if (sm_aside_on())
        sm_descriptor_used(fd, pc);
    return event;
}

static void end_use(int fd, const void *pc)
{
    if (sm_aside_on())
        sm_descriptor_closes(fd, pc);
}

int sm_io_opened(int fd)
{
    if (sm_aside_on())
        sm_descriptor_opened(fd);
    return fd;
}

static int opened_two(const int ends[2], int result)
{
    if (result == 0) {
        sm_io_opened(ends[0]);
        sm_io_opened(ends[1]);
    }
    return result;
}

/* ---- opening and closing ---- */

/* FIFOs that threads of the program opened for writing: opening one for reading waits for that.
   Entries may be shared; a collision only makes readers wait less long than they should. */
enum { FIFOS = 64 };
static uint32_t fifo_writers[FIFOS];

static uint32_t *writers_of(const struct stat *status)
{
    return &fifo_writers[(status->st_dev * 31 + status->st_ino) % FIFOS];
}

static int open_fifo_to_write(int directory, const char *path, int flags, uint32_t *writers,
                              struct sm_event *event)
{
    unsigned tries = 0;
    int fd;
    while ((fd = SM_REAL(openat)(directory, path, flags | O_NONBLOCK)) < 0 && errno == ENXIO)
        if (!sm_io_retry(&tries, event))
            return -1;
    if (fd < 0)
        return -1;
    sm_syscall(SYS_fcntl, (long)fd, (long)F_SETFL, (long)flags);
    ++*writers;
    return fd;
}

static int open_fifo_to_read(int directory, const char *path, int flags, const uint32_t *writers,
                             struct sm_event *event)
{
    unsigned tries = 0;
    uint32_t before = *writers;
    int fd = SM_REAL(openat)(directory, path, flags | O_NONBLOCK);
    if (fd < 0)
        return -1;
    while (*writers == before && !sm_io_is_ready(fd, POLLIN)) {
        if (!sm_io_retry(&tries, event)) {
            sm_syscall(SYS_close, (long)fd);
            return -1;
        }
    }
    sm_syscall(SYS_fcntl, (long)fd, (long)F_SETFL, (long)flags);
    return fd;
}

static int open_any(int directory, const char *path, int flags, mode_t mode, struct sm_event *event)
{
    struct stat status;
    bool fifo = !(flags & (O_NONBLOCK | O_PATH)) && fstatat(directory, path, &status, 0) == 0 &&
                S_ISFIFO(status.st_mode);
    if (fifo && (flags & O_ACCMODE) == O_WRONLY)
        return open_fifo_to_write(directory, path, flags, writers_of(&status), event);
    if (fifo && (flags & O_ACCMODE) == O_RDONLY)
        return open_fifo_to_read(directory, path, flags, writers_of(&status), event);
    return SM_REAL(openat)(directory, path, flags, mode);
}

static int controlled_open(int directory, const char *name, int flags, mode_t mode, void *pc)
{
    char room[PATH_MAX];
    const char *path = sm_pid_path(name, room);
    if (!sm_self())
        return SM_REAL(openat)(directory, path, flags, mode);
    sm_engine_called("open");
    struct sm_event event = sm_io_begin(directory, pc);
    int fd = open_any(directory, path, flags, mode, &event);
    set_random(fd, fd >= 0 && names_random(path));
    sm_io_opened(fd);
    sm_fds_changed();
    return (int)sm_io_end(&event, fd);
}

/* The optional last argument of open and openat. */
#define MODE_OF(flags)                                                                             \
    ({                                                                                             \
        mode_t mode_ = 0;                                                                          \
        if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                   \
            va_list args_;                                                                         \
            va_start(args_, flags);                                                                \
            mode_ = va_arg(args_, mode_t);                                                         \
            va_end(args_);                                                                         \
        }                                                                                          \
        mode_;                                                                                     \
    })

SM_EXPORT int open(const char *path, int flags, ...)
{
    return controlled_open(AT_FDCWD, path, flags, MODE_OF(flags), SM_CALLER());
}

SM_EXPORT int openat(int directory, const char *path, int flags, ...)
{
    return controlled_open(directory, path, flags, MODE_OF(flags), SM_CALLER());
}

SM_EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
SM_EXPORT int openat64(int directory, const char *path, int flags, ...)
    __attribute__((alias("openat")));

SM_EXPORT int __open_2(const char *path, int flags)
{
    return controlled_open(AT_FDCWD, path, flags, 0, SM_CALLER());
}
SM_EXPORT int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

static ssize_t random_read(void *cookie, char *to, size_t size)
{
    (void)cookie;
    sm_random_fill(to, size);
    return (ssize_t)size;
}

/* A stream reads inside libc, where we cannot see it; this one reads from us. */
SM_EXPORT FILE *fopen(const char *path, const char *mode)
{
    char room[PATH_MAX];
    if (!sm_self() || !names_random(path))
        return SM_REAL(fopen)(sm_pid_path(path, room), mode);
    return fopencookie(NULL, mode, (cookie_io_functions_t){.read = random_read});
}
SM_EXPORT FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

SM_EXPORT int close(int fd)
{
    SM_PASS(close, fd);
    struct sm_event event = sm_io_begin(fd, SM_CALLER());
    set_random(fd, false);
    sm_timer_close(fd);
    sm_signalfd_close(fd);
    end_use(fd, SM_CALLER());
    sm_fd_closes(fd, SM_CALLER());
    long result = SM_REAL(close)(fd);
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

static struct sm_event begin_dup(int from, int to, void *pc)
{
    struct sm_event event = sm_io_begin_use(from, pc);
    if (from != to)
        end_use(to, pc);
    return event;
}

/* A copy of `from`, or -1. */
static int copied(int from, int fd)
{
    set_random(sm_io_opened(fd), sm_io_is_random(from));
    return fd;
}

SM_EXPORT int dup2(int from, int to)
{
    SM_PASS(dup2, from, to);
    struct sm_event event = begin_dup(from, to, SM_CALLER());
    int result = copied(from, SM_REAL(dup2)(from, to));
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

SM_EXPORT int dup3(int from, int to, int flags)
{
    SM_PASS(dup3, from, to, flags);
    struct sm_event event = begin_dup(from, to, SM_CALLER());
    int result = copied(from, SM_REAL(dup3)(from, to, flags));
    sm_fds_changed();
    return (int)sm_io_end(&event, result);
}

SM_EXPORT int creat(const char *path, mode_t mode)
{
    return controlled_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, SM_CALLER());
}

SM_EXPORT int dup(int fd)
{
    SM_PASS(dup, fd);
    if (sm_aside_on())
        sm_descriptor_used(fd, SM_CALLER());
    return copied(fd, SM_REAL(dup)(fd));
}

SM_EXPORT int pipe(int ends[2])
{
    return opened_two(ends, SM_REAL(pipe)(ends));
}

SM_EXPORT int pipe2(int ends[2], int flags)
{
    return opened_two(ends, SM_REAL(pipe2)(ends, flags));
}

SM_EXPORT int socket(int domain, int type, int protocol)
{
    return sm_io_opened(SM_REAL(socket)(domain, type, protocol));
}

SM_EXPORT int socketpair(int domain, int type, int protocol, int ends[2])
{
    return opened_two(ends, SM_REAL(socketpair)(domain, type, protocol, ends));
}

SM_EXPORT int eventfd(unsigned value, int flags)
{
    return sm_io_opened(SM_REAL(eventfd)(value, flags));
}
SM_EXPORT int fcntl(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    void *arg = va_arg(args, void *);
    va_end(args);
    if (sm_self() && sm_is_file_lock(command))
        return sm_file_lock(fd, command, arg, SM_CALLER());
    if (sm_aside_on())
        sm_descriptor_used(fd, SM_CALLER());
    int result = SM_REAL(fcntl)(fd, command, arg);
    if (sm_self() && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
        copied(fd, result);
    return result;
}
SM_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
