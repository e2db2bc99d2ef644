#define _GNU_SOURCE
#include "core/libc/descriptors.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "core/libc/callers.h"
#include "core/libc/range.h"

enum { DESCRIPTORS = 1024 };
/* UNKNOWN: it was not opened by an intercepted call. CLOSED: by an intercepted call, and not
   reopened by one. */
enum descriptor_state { DESCRIPTOR_UNKNOWN, DESCRIPTOR_OPEN, DESCRIPTOR_CLOSED };

static struct file_descriptor {
    uint64_t byte; /* its address represents the descriptor; never accessed */
    dev_t device;
    ino_t inode;
    enum descriptor_state state;
} table[DESCRIPTORS] SM_SELDOM;

static struct file_descriptor *entry(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS ? &table[fd] : NULL;
}

static void set_state(struct file_descriptor *descriptor, enum descriptor_state state)
{
    if (state == DESCRIPTOR_UNKNOWN &&
        __atomic_load_n(&descriptor->state, __ATOMIC_RELAXED) == state)
        return;
    sm_seldom_touch(descriptor, sizeof *descriptor);
    __atomic_store_n(&descriptor->state, state, __ATOMIC_RELEASE); /* with what came before */
}

static bool identify(int fd, struct stat *status)
{
    int error = errno;
    bool open = sm_syscall(SYS_fstat, (long)fd, status) >= 0;
    errno = error;
    return open;
}

void sm_descriptor_opened(int fd)
{
    struct file_descriptor *made = entry(fd);
    struct stat status;
    if (!made || !identify(fd, &status))
        return;
    sm_range_new(&made->byte, sizeof made->byte);
    sm_seldom_touch(made, sizeof *made);
    made->device = status.st_dev;
    made->inode = status.st_ino;
    set_state(made, DESCRIPTOR_OPEN);
}

/* Is it still the file that was opened? If it was closed: is it still closed? Otherwise it is
   unknown. */
static bool is_known(int fd, struct file_descriptor *made)
{
    struct stat status;
    enum descriptor_state state = __atomic_load_n(&made->state, __ATOMIC_ACQUIRE);
    if (state == DESCRIPTOR_UNKNOWN)
        return false;
    bool open = identify(fd, &status);
    bool same = open && status.st_dev == made->device && status.st_ino == made->inode;
    if (state == DESCRIPTOR_OPEN ? same : !open)
        return true;
    set_state(made, DESCRIPTOR_UNKNOWN);
    return false;
}

static struct file_descriptor *known(int fd, const void *pc)
{
    struct file_descriptor *made = entry(fd);
    return made && sm_caller_counts(pc) && is_known(fd, made) ? made : NULL;
}

void sm_descriptor_used(int fd, const void *pc)
{
    struct file_descriptor *used = known(fd, pc);
    if (used)
        sm_range_called(SM_EV_ATOMIC_LOAD, &used->byte, 1);
}

void sm_descriptor_closes(int fd, const void *pc)
{
    struct file_descriptor *closed = known(fd, pc);
    if (!closed) {
        if (entry(fd))
            set_state(entry(fd), DESCRIPTOR_UNKNOWN);
        return;
    }
    sm_range_called(SM_EV_STORE, &closed->byte, 1);
    set_state(closed, DESCRIPTOR_CLOSED);
}

int sm_descriptor_at(uintptr_t addr)
{
    uintptr_t offset = addr - (uintptr_t)table;
    return offset < sizeof table ? (int)(offset / sizeof *table) : -1;
}
