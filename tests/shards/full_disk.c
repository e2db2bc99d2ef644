/* Preloaded: the disk is full for a store that would grow beyond STORE_ROOM bytes, or, with
   STORE_KILLS, the command is killed there. Not for the programs that we start: they get neither
   the library nor the variables. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long room;
static bool kills;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("STORE_ROOM");
    room = text ? atol(text) : 1L << 40;
    kills = getenv("STORE_KILLS");
    unsetenv("STORE_ROOM");
    unsetenv("STORE_KILLS");
    unsetenv("LD_PRELOAD");
}

static int is_full(int fd, off_t end)
{
    static const char store[] = "stalemate.db";
    char link[40], name[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    return length > 0 && end > room && strstr(name, store);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at)
{
    if (!is_full(fd, at + (off_t)size))
        return syscall(SYS_pwrite64, fd, bytes, size, at);
    if (kills)
        raise(SIGKILL);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return pwrite64(fd, bytes, size, at);
}
