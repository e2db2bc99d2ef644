#define _GNU_SOURCE
#include "runtime/intercept/message.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/intercept/real.h"
#include "runtime/sched/sched.h"

/* Files are numbered when they are first used: an inode differs from run to run, as does the id of
   a queue. No object of the program has such an address. Files beyond the limit share the last
   number. */
enum { MOST_FILES = 1024, ANY_SOCKET = MOST_FILES + 2, ANY_COUNTER, ANY_CHILD };
static struct {
    dev_t device; /* or enum sm_ipc */
    ino_t inode;
} files[MOST_FILES] SM_SELDOM;
static uintptr_t n_files;
static bool watched[ANY_COUNTER + 1] SM_SELDOM; /* by an epoll descriptor */

static bool has_child; /* which may send messages */

/* The address that represents the file; NULL if it is new and not to be added. */
static const void *number_of(dev_t device, ino_t inode, bool add)
{
    uintptr_t i = 0;
    while (i < n_files && (files[i].device != device || files[i].inode != inode))
        i++;
    if (i == n_files && !add)
        return NULL;
    if (i == n_files && n_files < MOST_FILES) {
        sm_seldom_touch(&files[i], sizeof *files);
        files[i].device = device;
        files[i].inode = inode;
        n_files++;
    }
    return (const void *)(i + 1);
}

unsigned long sm_file_number(dev_t device, ino_t inode)
{
    uintptr_t number = (uintptr_t)number_of(device, inode, true);
    return number <= MOST_FILES ? number : 0;
}

static const void *file_of(int fd, bool add)
{
    struct stat status;
    return sm_syscall(SYS_fstat, (long)fd, &status) < 0
               ? NULL
               : number_of(status.st_dev, status.st_ino, add);
}

/* NULL: writes to it do not order threads. */
static const void *message_of(int fd)
{
    struct stat status;
    if (fd <= STDERR_FILENO || sm_syscall(SYS_fstat, (long)fd, &status) < 0)
        return NULL;
    switch (status.st_mode & S_IFMT) {
    case S_IFIFO: /* both ends are one file */
        return number_of(status.st_dev, status.st_ino, true);
    case S_IFSOCK: /* the ends of a connection are two files */
        return (const void *)ANY_SOCKET;
    case 0: /* all eventfds and the like share one */
        return (const void *)ANY_COUNTER;
    default:
        return NULL;
    }
}

static void order(int kind, const void *object, void *pc)
{
    if (!object)
        return;
    int error = errno;
    struct sm_event event = sm_sync_event(kind, object, 0, pc);
    sm_sync(&event);
    errno = error;
}

void sm_fd_gives(int fd, void *pc)
{
    order(SM_EV_HAPPENS_BEFORE, message_of(fd), pc);
}

/* A message may be from a child, which has seen what came before its creation. */
static void take_children(void *pc)
{
    if (has_child)
        sm_child_takes(pc);
}

void sm_fd_takes(int fd, void *pc)
{
    const void *object = message_of(fd);
    order(SM_EV_HAPPENS_AFTER, object, pc);
    if (object)
        take_children(pc);
}

void sm_fd_watched(int fd)
{
    bool *place = &watched[(uintptr_t)message_of(fd)];
    sm_seldom_touch(place, sizeof *place);
    *place = true;
}

void sm_watched_take(void *pc)
{
    for (uintptr_t object = 1; object < SM_ARRAY_SIZE(watched); object++)
        if (watched[object])
            order(SM_EV_HAPPENS_AFTER, (const void *)object, pc);
    take_children(pc);
}

void sm_file_gives(int fd, void *pc)
{
    order(SM_EV_HAPPENS_BEFORE, file_of(fd, true), pc);
}

void sm_file_takes(int fd, void *pc)
{
    order(SM_EV_HAPPENS_AFTER, file_of(fd, true), pc);
}

void sm_ipc_gives(enum sm_ipc kind, int id, void *pc)
{
    order(SM_EV_HAPPENS_BEFORE, number_of((dev_t)kind, (ino_t)id, true), pc);
}

void sm_ipc_takes(enum sm_ipc kind, int id, void *pc)
{
    order(SM_EV_HAPPENS_AFTER, number_of((dev_t)kind, (ino_t)id, true), pc);
    take_children(pc);
}

/* The end of the child also sends a signal. */
void sm_child_gives(void *pc)
{
    has_child = true;
    struct sm_event sent = sm_sync_event(SM_EV_HAPPENS_BEFORE, NULL, SIGCHLD, pc);
    order(SM_EV_HAPPENS_BEFORE, (const void *)ANY_CHILD, pc);
    sm_sync(&sent);
}

void sm_child_takes(void *pc)
{
    order(SM_EV_HAPPENS_AFTER, (const void *)ANY_CHILD, pc);
}

void sm_fd_closes(int fd, void *pc)
{
    const void *object = message_of(fd);
    order(SM_EV_HAPPENS_BEFORE, object ? object : file_of(fd, false), pc);
}
