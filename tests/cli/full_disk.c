/* Preloaded: the disk is full for every file whose name ends in ".tmp". */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t size)
{
    char link[40], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length > 4 && memcmp(name + length - 4, ".tmp", 4) == 0) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, bytes, size);
}
