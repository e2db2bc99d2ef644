/*
 * buffers.c - calls that read or write files at an offset, and the checked forms of stdio's: they
 * have no scheduling points, but they access their buffers.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/libc/descriptors.h"
#include "runtime/aside.h"
#include "runtime/intercept/real.h"

static void use(int fd, const void *pc)
{
    if (sm_aside_on())
        sm_descriptor_used(fd, pc);
}

static void filled(const void *buffer, ssize_t n, const void *pc)
{
    sm_aside(SM_EV_STORE, buffer, n > 0 ? (size_t)n : 0, pc);
}

static void taken(const void *buffer, ssize_t n, const void *pc)
{
    sm_aside(SM_EV_LOAD, buffer, n > 0 ? (size_t)n : 0, pc);
}

#define PARTS_FILLED(parts, it) sm_aside_parts(SM_EV_STORE, parts, (size_t)n, it, SM_CALLER())
#define PARTS_TAKEN(parts, it) sm_aside_parts(SM_EV_LOAD, parts, (size_t)n, it, SM_CALLER())
#define FILLED(buffer, it) filled(buffer, (ssize_t)(it), SM_CALLER())
#define TAKEN(buffer, it) taken(buffer, (ssize_t)(it), SM_CALLER())

#define AT_OFFSET(name, parameters, arguments, access)                                             \
    SM_EXPORT ssize_t name parameters;                                                             \
    SM_EXPORT ssize_t name parameters                                                              \
    {                                                                                              \
        use(fd, SM_CALLER());                                                                      \
        ssize_t it = SM_REAL(name) arguments;                                                      \
        access;                                                                                    \
        return it;                                                                                 \
    }
AT_OFFSET(pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), FILLED(to, it))
AT_OFFSET(pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), FILLED(to, it))
AT_OFFSET(__pread_chk, (int fd, void *to, size_t size, off_t at, size_t room),
          (fd, to, size, at, room), FILLED(to, it))
AT_OFFSET(__pread64_chk, (int fd, void *to, size_t size, off64_t at, size_t room),
          (fd, to, size, at, room), FILLED(to, it))
AT_OFFSET(pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at),
          TAKEN(from, it))
AT_OFFSET(pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at),
          TAKEN(from, it))
AT_OFFSET(preadv, (int fd, const struct iovec *to, int n, off_t at), (fd, to, n, at),
          PARTS_FILLED(to, it))
AT_OFFSET(preadv64, (int fd, const struct iovec *to, int n, off64_t at), (fd, to, n, at),
          PARTS_FILLED(to, it))
AT_OFFSET(pwritev, (int fd, const struct iovec *from, int n, off_t at), (fd, from, n, at),
          PARTS_TAKEN(from, it))
AT_OFFSET(pwritev64, (int fd, const struct iovec *from, int n, off64_t at), (fd, from, n, at),
          PARTS_TAKEN(from, it))

SM_EXPORT size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n,
                             FILE *restrict file);
SM_EXPORT size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t n,
                             FILE *restrict file)
{
    size_t items = SM_REAL(__fread_chk)(to, room, size, n, file);
    FILLED(to, items * size);
    return items;
}

SM_EXPORT char *__fgets_chk(char *restrict to, size_t room, int size, FILE *restrict file);
SM_EXPORT char *__fgets_chk(char *restrict to, size_t room, int size, FILE *restrict file)
{
    char *line = SM_REAL(__fgets_chk)(to, room, size, file);
    if (line)
        FILLED(line, strlen(line) + 1);
    return line;
}
