#define _GNU_SOURCE
#include "native/intercept/message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/libc/descriptors.h"
#include "core/libc/real.h"
#include "native/sync.h"

/* ---- objects ----
 * Each is represented by an address. Objects with the same address are one. */

enum {
    SOCKETS,
    COUNTERS,
    SENT_SIGNALS,
    FIRST_FILE,
    FILES = 1024,
    QUEUES = 256,
    SETS = 256,
    SIGNALS = 64
};
static char files[FILES], queues[QUEUES], sets[SETS], signals[SIGNALS + 1], timers, processes;
static bool files_locked; /* some file was locked at some time */
static bool has_signalfd; /* a descriptor like that of a counter may be one */
static bool has_child;    /* which may send messages */
/* What splice or tee moved to a file was written to this one. */
static const void *fed_by[FILES];
static bool watched[FILES]; /* by an epoll descriptor */
static uint32_t fd_changes;

static const void *file_object(const struct stat *status)
{
    return &files[FIRST_FILE + status->st_ino % (FILES - FIRST_FILE)];
}

static const void *inode_object(int fd)
{
    struct stat status;
    return sm_syscall(SYS_fstat, (long)fd, &status) < 0 ? NULL : file_object(&status);
}

/* NULL: the descriptor orders nothing. */
static const void *object_of(int fd)
{
    struct stat status;
    if (fd <= STDERR_FILENO || sm_syscall(SYS_fstat, (long)fd, &status) < 0)
        return NULL;
    switch (status.st_mode & S_IFMT) {
    case S_IFIFO: /* both ends have the same inode */
        return file_object(&status);
    case S_IFSOCK: /* the ends of a connection have different inodes */
        return &files[SOCKETS];
    case 0: /* eventfd, signalfd and the like share one */
        return &files[COUNTERS];
    default:
        return NULL;
    }
}

static void give(const void *object)
{
    int error = errno;
    if (object)
        sm_release(object, SM_KEY_MAIN);
    errno = error;
}

static void take(const void *object)
{
    int error = errno;
    if (object)
        sm_acquire(object, SM_KEY_MAIN);
    errno = error;
}

bool sm_fd_orders(int fd)
{
    return object_of(fd);
}

void sm_fd_gives(int fd)
{
    give(object_of(fd));
}

/* Fed by what was fed itself, as in a chain of pipes; in a circle at most FILES. */
static void take_fed(const void *object)
{
    for (int n = 0; object && n < FILES; n++) {
        take(object);
        if (object == &files[COUNTERS] && __atomic_load_n(&has_signalfd, __ATOMIC_RELAXED))
            take(&files[SENT_SIGNALS]);
        object = __atomic_load_n(&fed_by[(const char *)object - files], __ATOMIC_ACQUIRE);
    }
}

/* A message may be from a child, which has seen what came before its creation. */
static void take_children(void)
{
    if (__atomic_load_n(&has_child, __ATOMIC_RELAXED))
        sm_child_takes();
}

void sm_fd_takes(int fd)
{
    const void *object = object_of(fd);
    take_fed(object);
    if (object)
        take_children();
}

void sm_fd_watched(int fd)
{
    const char *object = object_of(fd);
    if (object)
        __atomic_store_n(&watched[object - files], true, __ATOMIC_RELAXED);
}

void sm_watched_take(void)
{
    for (int i = 0; i < FILES; i++)
        if (__atomic_load_n(&watched[i], __ATOMIC_RELAXED))
            take_fed(&files[i]);
    take_children();
}

void sm_fd_feeds(int from, int to)
{
    const char *fed = object_of(to);
    if (fed)
        __atomic_store_n(&fed_by[fed - files], object_of(from), __ATOMIC_RELEASE);
}

void sm_fd_changed(void)
{
    __atomic_fetch_add(&fd_changes, 1, __ATOMIC_RELEASE);
}

uint32_t sm_fd_changes(void)
{
    return __atomic_load_n(&fd_changes, __ATOMIC_ACQUIRE);
}

void sm_file_gives(int fd)
{
    give(inode_object(fd));
}

void sm_file_takes(int fd)
{
    take(inode_object(fd));
}

/* A reader sees the end of file; file locks are released. */
void sm_fd_closes(int fd)
{
    give(files_locked ? inode_object(fd) : object_of(fd));
}

void sm_queue_gives(int queue)
{
    give(&queues[(unsigned)queue % QUEUES]);
}

void sm_queue_takes(int queue)
{
    take(&queues[(unsigned)queue % QUEUES]);
    take_children();
}

void sm_signalfd_made(void)
{
    __atomic_store_n(&has_signalfd, true, __ATOMIC_RELAXED); /* before anybody can read it */
}

/* For sigwait and the like, for handlers (signal.c), and for who reads a signalfd. */
void sm_signal_gives(int signo)
{
    if (signo <= 0 || signo > SIGNALS)
        return;
    give(&signals[signo]);
    give(&files[SENT_SIGNALS]);
}

void sm_signal_takes(int signo)
{
    if (signo <= 0 || signo > SIGNALS)
        return;
    take(&signals[signo]);
    take(&timers);
}

void sm_timer_takes(void)
{
    take(&timers);
}

/* The end of the child also sends a signal. */
void sm_child_gives(void)
{
    __atomic_store_n(&has_child, true, __ATOMIC_RELAXED); /* before it can send anything */
    give(&processes);
    sm_signal_gives(SIGCHLD);
}

void sm_child_takes(void)
{
    take(&processes);
}

void sm_timer_gives(void)
{
    give(&timers);
    give(&files[SENT_SIGNALS]);
}

/* ---- semaphores of System V ---- */

static bool posts(const struct sembuf *operations, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= operations[i].sem_op > 0;
    return any;
}

static bool waits(const struct sembuf *operations, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= operations[i].sem_op <= 0;
    return any;
}

SM_EXPORT int semtimedop(int set, struct sembuf *operations, size_t n,
                         const struct timespec *timeout)
{
    const void *object = &sets[(unsigned)set % SETS];
    if (posts(operations, n))
        give(object);
    int result = SM_REAL(semtimedop)(set, operations, n, timeout);
    if (result == 0 && waits(operations, n)) {
        take(object);
        take_children();
    }
    return result;
}

SM_EXPORT int semop(int set, struct sembuf *operations, size_t n)
{
    return semtimedop(set, operations, n, NULL);
}

/* ---- locks on files ----
 * Only locks of open files. The process-owned locks of fcntl do not exclude threads of the
 * process. */

/* Converting an exclusive lock to a shared one also releases it. */
static void before_lock(int fd, short type)
{
    files_locked = true;
    if (type != F_WRLCK)
        give(inode_object(fd));
}

static int after_lock(int fd, short type, int result)
{
    if (result == 0 && type != F_UNLCK)
        take(inode_object(fd));
    return result;
}

static short type_of(int operation)
{
    int kind = operation & ~LOCK_NB;
    return kind == LOCK_UN ? F_UNLCK : kind == LOCK_SH ? F_RDLCK : F_WRLCK;
}

SM_EXPORT int flock(int fd, int operation)
{
    before_lock(fd, type_of(operation));
    return after_lock(fd, type_of(operation), SM_REAL(flock)(fd, operation));
}

static int control(int fd, int command, void *argument, int (*real)(int, int, ...))
{
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
        int copy = real(fd, command, argument);
        sm_descriptor_opened(copy);
        return copy;
    }
    if (command != F_OFD_SETLK && command != F_OFD_SETLKW)
        return real(fd, command, argument);
    short type = ((const struct flock *)argument)->l_type;
    before_lock(fd, type);
    return after_lock(fd, type, real(fd, command, argument));
}

SM_EXPORT int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    sm_descriptor_used(fd, SM_CALLER());
    return control(fd, command, argument, SM_REAL(fcntl));
}

SM_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
