/*
 * filled.c - library functions that fill the program's structures and buffers: files, time, the
 * system, signals, addresses, numbers, lines.
 *
 * A call that fails writes nothing. A structure is filled here and then stored. A buffer whose size
 * is known only afterwards is filled by libc itself, and reported afterwards.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <poll.h>
#include <pwd.h>
#include <regex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/libc/access.h"
#include "core/libc/real.h"

typedef const struct sm_site *site_t;

/* What a call reads first: nothing, a path, a structure of the type. */
#define NO_INPUT
#define READ_PATH(path)                                                                            \
    struct sm_looked_at seen_;                                                                     \
    (path) = sm_read_path(&seen_, path, site)
#define READ_STRUCT(type, from)                                                                    \
    type copy_;                                                                                    \
    sm_read_struct(&copy_, from, sizeof copy_, site);                                              \
    (from) = &copy_

/* A call that fills *out, if `ok` holds of its result `it`. */
#define FILLS(type, name, parameters, input, arguments, ok)                                        \
    SM_EXPORT type sm_lib_##name parameters                                                        \
    {                                                                                              \
        __typeof__(*out) filled;                                                                   \
        input;                                                                                     \
        type it = name arguments;                                                                  \
        if (ok)                                                                                    \
            sm_writes_struct(out, &filled, sizeof filled, site);                                   \
        return it;                                                                                 \
    }
/* The same where the caller may pass NULL. */
#define IF_WANTED (out ? &filled : NULL)
#define MAY_FILL(type, name, parameters, input, arguments, ok)                                     \
    FILLS(type, name, parameters, input, arguments, out && (ok))
/* The same for a result that is `out` itself, or NULL. */
#define FILLS_AND_RETURNS(name, parameters, input, arguments)                                      \
    SM_EXPORT void *sm_lib_##name parameters                                                       \
    {                                                                                              \
        __typeof__(*out) filled;                                                                   \
        input;                                                                                     \
        if (!name arguments)                                                                       \
            return NULL;                                                                           \
        sm_writes_struct(out, &filled, sizeof filled, site);                                       \
        return out;                                                                                \
    }

/* ---- files ---- */

FILLS(int, stat, (const char *path, struct stat *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, lstat, (const char *path, struct stat *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, fstat, (int fd, struct stat *out, site_t site), NO_INPUT, (fd, &filled), it == 0)
FILLS(int, fstatat, (int fd, const char *path, struct stat *out, int flags, site_t site),
      READ_PATH(path), (fd, path, &filled, flags), it == 0)
FILLS(int, stat64, (const char *path, struct stat64 *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, lstat64, (const char *path, struct stat64 *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, fstat64, (int fd, struct stat64 *out, site_t site), NO_INPUT, (fd, &filled), it == 0)
FILLS(int, fstatat64, (int fd, const char *path, struct stat64 *out, int flags, site_t site),
      READ_PATH(path), (fd, path, &filled, flags), it == 0)
FILLS(int, statx,
      (int fd, const char *path, int flags, unsigned mask, struct statx *out, site_t site),
      READ_PATH(path), (fd, path, flags, mask, &filled), it == 0)
FILLS(int, statvfs, (const char *path, struct statvfs *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, fstatvfs, (int fd, struct statvfs *out, site_t site), NO_INPUT, (fd, &filled), it == 0)
FILLS(int, statvfs64, (const char *path, struct statvfs64 *out, site_t site), READ_PATH(path),
      (path, &filled), it == 0)
FILLS(int, fstatvfs64, (int fd, struct statvfs64 *out, site_t site), NO_INPUT, (fd, &filled),
      it == 0)

/* Text in a buffer of the caller's; without one libc allocates it. */
static char *text_written(char *text, const char *buffer, site_t site)
{
    if (text && buffer)
        sm_wrote(text, strlen(text) + 1, site);
    return text;
}

SM_EXPORT char *sm_lib_getcwd(char *to, size_t size, site_t site)
{
    return text_written(getcwd(to, size), to, site);
}

SM_EXPORT char *sm_lib_realpath(const char *path, char *to, site_t site)
{
    READ_PATH(path);
    return text_written(realpath(path, to), to, site);
}

SM_EXPORT ssize_t sm_lib_readlink(const char *path, char *to, size_t size, site_t site)
{
    READ_PATH(path);
    ssize_t n = readlink(path, to, size);
    if (n > 0)
        sm_wrote(to, (size_t)n, site);
    return n;
}

/* ---- time ---- */

MAY_FILL(time_t, time, (time_t *out, site_t site), NO_INPUT, (IF_WANTED), it != -1)
MAY_FILL(clock_t, times, (struct tms * out, site_t site), NO_INPUT, (IF_WANTED), it != -1)
FILLS(int, clock_gettime, (clockid_t clock, struct timespec *out, site_t site), NO_INPUT,
      (clock, &filled), it == 0)
MAY_FILL(int, clock_getres, (clockid_t clock, struct timespec *out, site_t site), NO_INPUT,
         (clock, IF_WANTED), it == 0)
FILLS(int, gettimeofday, (struct timeval * out, void *zone, site_t site), NO_INPUT, (&filled, zone),
      it == 0)
FILLS(int, timespec_get, (struct timespec * out, int base, site_t site), NO_INPUT, (&filled, base),
      it != 0)
FILLS(int, getrusage, (int who, struct rusage *out, site_t site), NO_INPUT, (who, &filled), it == 0)
FILLS(int, getitimer, (int which, struct itimerval *out, site_t site), NO_INPUT, (which, &filled),
      it == 0)
MAY_FILL(int, setitimer,
         (int which, const struct itimerval *value, struct itimerval *out, site_t site),
         READ_STRUCT(struct itimerval, value), (which, value, IF_WANTED), it == 0)
FILLS(int, timerfd_gettime, (int fd, struct itimerspec *out, site_t site), NO_INPUT, (fd, &filled),
      it == 0)
MAY_FILL(int, timerfd_settime,
         (int fd, int flags, const struct itimerspec *value, struct itimerspec *out, site_t site),
         READ_STRUCT(struct itimerspec, value), (fd, flags, value, IF_WANTED), it == 0)
FILLS_AND_RETURNS(localtime_r, (const time_t *when, struct tm *out, site_t site),
                  READ_STRUCT(time_t, when), (when, &filled))
FILLS_AND_RETURNS(gmtime_r, (const time_t *when, struct tm *out, site_t site),
                  READ_STRUCT(time_t, when), (when, &filled))

SM_EXPORT char *sm_lib_ctime_r(const time_t *when, char *to, site_t site)
{
    READ_STRUCT(time_t, when);
    return text_written(ctime_r(when, to), to, site);
}

SM_EXPORT char *sm_lib_asctime_r(const struct tm *when, char *to, site_t site)
{
    READ_STRUCT(struct tm, when);
    /* NOLINTNEXTLINE(bugprone-unsafe-functions): the program calls it */
    return text_written(asctime_r(when, to), to, site);
}

/* ---- the system ---- */

FILLS(int, uname, (struct utsname * out, site_t site), NO_INPUT, (&filled), it == 0)
FILLS(int, sysinfo, (struct sysinfo * out, site_t site), NO_INPUT, (&filled), it == 0)

SM_EXPORT int sm_lib_getloadavg(double *to, int n, site_t site)
{
    int it = getloadavg(to, n);
    if (it > 0)
        sm_wrote(to, (size_t)it * sizeof *to, site);
    return it;
}

SM_EXPORT ssize_t sm_lib_getrandom(void *to, size_t size, unsigned flags, site_t site)
{
    ssize_t n = getrandom(to, size, flags);
    if (n > 0)
        sm_wrote(to, (size_t)n, site);
    return n;
}

SM_EXPORT int sm_lib_getentropy(void *to, size_t size, site_t site)
{
    int it = getentropy(to, size);
    if (it == 0)
        sm_wrote(to, size, site);
    return it;
}

/* Its strings are in the buffer. */
static void strings_written(const struct passwd *entry, site_t site)
{
    const char *const texts[] = {entry->pw_name, entry->pw_passwd, entry->pw_gecos, entry->pw_dir,
                                 entry->pw_shell};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_written((char *)texts[i], texts[i], site);
}

static int entry_written(int it, const struct passwd *entry, struct passwd *const *found,
                         site_t site)
{
    sm_wrote(found, sizeof *found, site);
    if (*found) {
        sm_wrote(entry, sizeof *entry, site);
        strings_written(entry, site);
    }
    return it;
}

SM_EXPORT int sm_lib_getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size,
                                struct passwd **found, site_t site)
{
    READ_PATH(name);
    return entry_written(getpwnam_r(name, entry, buffer, size, found), entry, found, site);
}

SM_EXPORT int sm_lib_getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t size,
                                struct passwd **found, site_t site)
{
    return entry_written(getpwuid_r(user, entry, buffer, size, found), entry, found, site);
}

/* ---- signals ---- */

/* The kernel's part of a sigset_t: libc and the kernel write no more. */
enum { SIGNAL_BYTES = _NSIG / 8 };

/* The old mask is stored by libc itself: a handler may run before the call returns. */
#define MASKS(name)                                                                                \
    SM_EXPORT int sm_lib_##name(int how, const sigset_t *set, sigset_t *old, site_t site)          \
    {                                                                                              \
        if (set)                                                                                   \
            sm_reads(set, SIGNAL_BYTES, site);                                                     \
        int it = name(how, set, old);                                                              \
        if (it == 0 && old)                                                                        \
            sm_wrote(old, SIGNAL_BYTES, site);                                                     \
        return it;                                                                                 \
    }
MASKS(sigprocmask)
MASKS(pthread_sigmask)

#define FILLS_SET(name)                                                                            \
    SM_EXPORT int sm_lib_##name(sigset_t *set, site_t site)                                        \
    {                                                                                              \
        int it = name(set);                                                                        \
        if (it == 0)                                                                               \
            sm_wrote(set, SIGNAL_BYTES, site);                                                     \
        return it;                                                                                 \
    }
FILLS_SET(sigemptyset)
FILLS_SET(sigfillset)
FILLS_SET(sigpending)

#define CHANGES_SET(name)                                                                          \
    SM_EXPORT int sm_lib_##name(sigset_t *set, int signo, site_t site)                             \
    {                                                                                              \
        sm_reads(set, SIGNAL_BYTES, site);                                                         \
        int it = name(set, signo);                                                                 \
        if (it == 0)                                                                               \
            sm_wrote(set, SIGNAL_BYTES, site);                                                     \
        return it;                                                                                 \
    }
CHANGES_SET(sigaddset)
CHANGES_SET(sigdelset)

SM_EXPORT int sm_lib_sigismember(const sigset_t *set, int signo, site_t site)
{
    sm_reads(set, SIGNAL_BYTES, site);
    return sigismember(set, signo);
}

/* ---- descriptors and addresses ---- */

static void read_wanted(const struct pollfd *fds, nfds_t n, site_t site)
{
    for (nfds_t i = 0; i < n; i++)
        sm_reads(&fds[i], offsetof(struct pollfd, revents), site);
}

static int events_written(const struct pollfd *fds, nfds_t n, int it, site_t site)
{
    for (nfds_t i = 0; it >= 0 && i < n; i++)
        sm_wrote(&fds[i].revents, sizeof fds[i].revents, site);
    return it;
}

SM_EXPORT int sm_lib_poll(struct pollfd *fds, nfds_t n, int timeout, site_t site)
{
    read_wanted(fds, n, site);
    return events_written(fds, n, poll(fds, n, timeout), site);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);

SM_EXPORT int sm_lib___poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room, site_t site)
{
    if (n <= room / sizeof *fds)
        read_wanted(fds, n, site);
    return events_written(fds, n, __poll_chk(fds, n, timeout, room), site);
}

SM_EXPORT int sm_lib_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                           const sigset_t *mask, site_t site)
{
    read_wanted(fds, n, site);
    return events_written(fds, n, ppoll(fds, n, timeout, mask), site);
}

/* The address of a socket: as much of it as there is room for, and its full length. */
#define NAMES_SOCKET(name)                                                                         \
    SM_EXPORT int sm_lib_##name(int fd, struct sockaddr *to, socklen_t *length, site_t site)       \
    {                                                                                              \
        socklen_t room, full;                                                                      \
        sm_read_struct(&room, length, sizeof room, site);                                          \
        full = room;                                                                               \
        int it = name(fd, to, &full);                                                              \
        if (it != 0)                                                                               \
            return it;                                                                             \
        sm_wrote(to, full < room ? full : room, site);                                             \
        sm_writes_struct(length, &full, sizeof full, site);                                        \
        return it;                                                                                 \
    }
NAMES_SOCKET(getsockname)
NAMES_SOCKET(getpeername)

static size_t address_size(int family)
{
    return family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
}

SM_EXPORT const char *sm_lib_inet_ntop(int family, const void *address, char *to, socklen_t size,
                                       site_t site)
{
    struct in6_addr copy; /* the larger one */
    sm_read_struct(&copy, address, address_size(family), site);
    return text_written((char *)inet_ntop(family, &copy, to, size), to, site);
}

SM_EXPORT int sm_lib_inet_pton(int family, const char *text, void *to, site_t site)
{
    struct in6_addr filled;
    READ_PATH(text);
    int it = inet_pton(family, text, &filled);
    if (it == 1)
        sm_writes_struct(to, &filled, address_size(family), site);
    return it;
}

/* ---- numbers ---- */

FILLS(double, frexp, (double x, int *out, site_t site), NO_INPUT, (x, &filled), true)
FILLS(float, frexpf, (float x, int *out, site_t site), NO_INPUT, (x, &filled), true)
FILLS(double, modf, (double x, double *out, site_t site), NO_INPUT, (x, &filled), true)
FILLS(float, modff, (float x, float *out, site_t site), NO_INPUT, (x, &filled), true)

/* In libm, which only programs that call it have. */
#define SINE_AND_COSINE(name, type)                                                                \
    SM_EXPORT void sm_lib_##name(type x, type *sine, type *cosine, site_t site)                    \
    {                                                                                              \
        type values[2];                                                                            \
        SM_REAL(name)(x, &values[0], &values[1]);                                                  \
        sm_writes_struct(sine, &values[0], sizeof *sine, site);                                    \
        sm_writes_struct(cosine, &values[1], sizeof *cosine, site);                                \
    }
SINE_AND_COSINE(sincos, double)
SINE_AND_COSINE(sincosf, float)

/* ---- text ---- */

/* libc stores the pointer and the room only where it makes room. */
struct line_before {
    const char *text;
    size_t room;
};

static struct line_before look_at_line(char *const *line, const size_t *room, site_t site)
{
    sm_reads(line, sizeof *line, site);
    sm_also_reads(room, sizeof *room, site);
    return (struct line_before){*line, *room};
}

static ssize_t line_written(struct line_before before, char *const *line, const size_t *room,
                            ssize_t n, site_t site)
{
    if (*line != before.text)
        sm_wrote(line, sizeof *line, site);
    if (*room != before.room)
        sm_wrote(room, sizeof *room, site);
    if (n > 0)
        sm_wrote(*line, (size_t)n + 1, site);
    return n;
}

SM_EXPORT ssize_t sm_lib_getdelim(char **line, size_t *room, int end, FILE *stream, site_t site)
{
    struct line_before before = look_at_line(line, room, site);
    return line_written(before, line, room, getdelim(line, room, end, stream), site);
}

SM_EXPORT ssize_t sm_lib___getdelim(char **line, size_t *room, int end, FILE *stream, site_t site)
{
    return sm_lib_getdelim(line, room, end, stream, site);
}

SM_EXPORT ssize_t sm_lib_getline(char **line, size_t *room, FILE *stream, site_t site)
{
    struct line_before before = look_at_line(line, room, site);
    return line_written(before, line, room, getline(line, room, stream), site);
}

SM_EXPORT int sm_lib_regcomp(regex_t *expression, const char *pattern, int flags, site_t site)
{
    READ_PATH(pattern);
    int it = regcomp(expression, pattern, flags);
    sm_wrote(expression, sizeof *expression, site);
    return it;
}

/* With REG_STARTEND the first match says where the text is. */
SM_EXPORT int sm_lib_regexec(const regex_t *expression, const char *text, size_t n,
                             regmatch_t *matches, int flags, site_t site)
{
    struct sm_looked_at seen;
    sm_reads(expression, sizeof *expression, site);
    if (flags & REG_STARTEND)
        sm_also_reads(text + matches->rm_so, (size_t)(matches->rm_eo - matches->rm_so), site);
    else
        text = sm_read_string(&seen, text, SIZE_MAX, site);
    int it = regexec(expression, text, n, matches, flags);
    if (it == 0 && !expression->no_sub)
        sm_wrote(matches, n * sizeof *matches, site);
    return it;
}

/* ---- sorting ---- */

/* Where the engine holds the contents of memory libc would sort without its knowledge. Stable, as
   libc's is. libc stores all elements, in order or not. */
static void sort_by_swaps(char *array, size_t n, size_t size, __compar_fn_t compare, site_t site)
{
    char left[size], right[size];
    for (size_t i = 0; i < n; i++) {
        char *at = array + i * size;
        for (; at > array && compare(at - size, at) > 0; at -= size) {
            sm_read_struct(left, at - size, size, site);
            sm_read_struct(right, at, size, site);
            sm_writes_struct(at - size, right, size, site);
            sm_writes_struct(at, left, size, site);
        }
        sm_read_struct(left, at, size, site);
        sm_writes_struct(at, left, size, site);
    }
}

SM_EXPORT void sm_lib_qsort(void *array, size_t n, size_t size, __compar_fn_t compare, site_t site)
{
    if (n < 2 || !size)
        return;
    if (sm_range_by_bytes()) {
        sort_by_swaps(array, n, size, compare, site);
        return;
    }
    sm_reads(array, n * size, site);
    qsort(array, n, size, compare);
    sm_wrote(array, n * size, site);
}
