/*
 * files.c - makes answers of the file system and of the system deterministic.
 *
 * A file that was changed after the program started gets the time at which virtual time begins:
 * the kernel's time stamps are as coarse as its tick, so whether two changes get the same one is
 * random. Its inode is a number in the order in which files are first seen, its blocks are those of
 * its size. Names of temporary files come from the execution's random numbers. Load, free memory
 * and free space are those of an idle machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "runtime/init.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/io.h"
#include "runtime/intercept/message.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/sched.h"

/* ---- times ---- */

static struct timespec began;

/* By the clock that file time stamps use. Before any constructor of the program. */
__attribute__((constructor(101))) static void note_beginning(void)
{
    sm_syscall(SYS_clock_gettime, (long)CLOCK_REALTIME_COARSE, &began);
}

static bool is_changed(int64_t seconds, int64_t nanoseconds)
{
    return seconds > began.tv_sec || (seconds == began.tv_sec && nanoseconds >= began.tv_nsec);
}

static void settle(struct timespec *at)
{
    if (is_changed(at->tv_sec, at->tv_nsec))
        *at = (struct timespec){.tv_sec = SM_EPOCH_SECONDS};
}

/* Behind the inodes that file systems give out. */
static const uint64_t first_inode = 1ul << 48;

static uint64_t settled_inode(dev_t device, ino_t inode)
{
    unsigned long number = sm_file_number(device, inode);
    return number ? first_inode + number : inode;
}

static int64_t blocks_of(int64_t size)
{
    enum { BLOCK_BYTES = 512 };
    return (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

static int settle_stat(int result, struct stat *status)
{
    if (result == 0 && (sm_self() || sm_starting())) {
        if (is_changed(status->st_ctim.tv_sec, status->st_ctim.tv_nsec)) {
            status->st_ino = settled_inode(status->st_dev, status->st_ino);
            status->st_blocks = blocks_of(status->st_size);
        }
        settle(&status->st_atim);
        settle(&status->st_mtim);
        settle(&status->st_ctim);
    }
    return result;
}

SM_EXPORT int stat(const char *restrict path, struct stat *restrict status)
{
    char room[PATH_MAX];
    return settle_stat(SM_REAL(stat)(sm_pid_path(path, room), status), status);
}

SM_EXPORT int lstat(const char *restrict path, struct stat *restrict status)
{
    char room[PATH_MAX];
    return settle_stat(SM_REAL(lstat)(sm_pid_path(path, room), status), status);
}

SM_EXPORT int fstat(int fd, struct stat *status)
{
    return settle_stat(SM_REAL(fstat)(fd, status), status);
}

SM_EXPORT int fstatat(int fd, const char *restrict path, struct stat *restrict status, int flags)
{
    return settle_stat(SM_REAL(fstatat)(fd, path, status, flags), status);
}

/* The two structures are the same on x86-64. */
SM_EXPORT int stat64(const char *restrict path, struct stat64 *restrict status)
    __attribute__((alias("stat")));
SM_EXPORT int lstat64(const char *restrict path, struct stat64 *restrict status)
    __attribute__((alias("lstat")));
SM_EXPORT int fstat64(int fd, struct stat64 *status) __attribute__((alias("fstat")));
SM_EXPORT int fstatat64(int fd, const char *restrict path, struct stat64 *restrict status,
                        int flags) __attribute__((alias("fstatat")));

static void settle_time(struct statx_timestamp *at)
{
    if (is_changed(at->tv_sec, at->tv_nsec))
        *at = (struct statx_timestamp){.tv_sec = SM_EPOCH_SECONDS};
}

SM_EXPORT int statx(int fd, const char *restrict path, int flags, unsigned mask,
                    struct statx *restrict status)
{
    int result = SM_REAL(statx)(fd, path, flags, mask, status);
    if (result != 0 || (!sm_self() && !sm_starting()))
        return result;
    if (is_changed(status->stx_ctime.tv_sec, status->stx_ctime.tv_nsec)) {
        dev_t device = makedev(status->stx_dev_major, status->stx_dev_minor);
        status->stx_ino = settled_inode(device, status->stx_ino);
        status->stx_blocks = (uint64_t)blocks_of((int64_t)status->stx_size);
    }
    settle_time(&status->stx_atime);
    settle_time(&status->stx_btime);
    settle_time(&status->stx_ctime);
    settle_time(&status->stx_mtime);
    return result;
}

/* ---- names of temporary files ---- */

/* The six X before the suffix; NULL and errno, if missing. */
static char *blank(char *template, int suffix)
{
    size_t length = strlen(template);
    if (suffix < 0 || length < (size_t)suffix + 6 ||
        memcmp(template + length - (size_t)suffix - 6, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return template + length - (size_t)suffix - 6;
}

static void fill(char *at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    unsigned char bytes[6];
    sm_random_fill(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        at[i] = letters[bytes[i] % (sizeof letters - 1)];
}

static int make_file(char *template, int suffix, int flags)
{
    enum { ATTEMPTS = 1000, MODE = 0600 };
    char *at = blank(template, suffix);
    for (int i = 0; at && i < ATTEMPTS; i++) {
        fill(at);
        int fd = open(template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, MODE);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

SM_EXPORT int mkostemps(char *template, int suffix, int flags)
{
    SM_PASS_INPUT(mkostemps, template, suffix, flags);
    return make_file(template, suffix, flags);
}

SM_EXPORT int mkstemps(char *template, int suffix)
{
    SM_PASS_INPUT(mkstemps, template, suffix);
    return make_file(template, suffix, 0);
}

SM_EXPORT int mkostemp(char *template, int flags)
{
    SM_PASS_INPUT(mkostemp, template, flags);
    return make_file(template, 0, flags);
}

SM_EXPORT int mkstemp(char *template)
{
    SM_PASS_INPUT(mkstemp, template);
    return make_file(template, 0, 0);
}

SM_EXPORT int mkostemps64(char *template, int suffix, int flags)
    __attribute__((alias("mkostemps")));
SM_EXPORT int mkstemps64(char *template, int suffix) __attribute__((alias("mkstemps")));
SM_EXPORT int mkostemp64(char *template, int flags) __attribute__((alias("mkostemp")));
SM_EXPORT int mkstemp64(char *template) __attribute__((alias("mkstemp")));

SM_EXPORT char *mkdtemp(char *template)
{
    enum { ATTEMPTS = 1000, MODE = 0700 };
    SM_PASS_INPUT(mkdtemp, template);
    char *at = blank(template, 0);
    for (int i = 0; at && i < ATTEMPTS; i++) {
        fill(at);
        if (mkdir(template, MODE) == 0)
            return template;
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

/* Fills in the template with an unused name; NULL if it is not a template. */
static char *unused(char *template)
{
    enum { ATTEMPTS = 1000 };
    struct stat status;
    char *at = blank(template, 0);
    for (int i = 0; at && i < ATTEMPTS; i++) {
        fill(at);
        if (SM_REAL(lstat)(template, &status) != 0)
            return template;
    }
    return NULL;
}

SM_EXPORT char *mktemp(char *template)
{
    SM_PASS_INPUT(mktemp, template);
    if (!unused(template))
        *template = 0;
    return template;
}

static char *temporary(char *name)
{
    strcpy(name, P_tmpdir "/fileXXXXXX"); /* of L_tmpnam bytes */
    return unused(name);
}

SM_EXPORT char *tmpnam(char *name)
{
    static char own[L_tmpnam];
    SM_PASS_INPUT(tmpnam, name);
    return temporary(name ? name : own);
}

SM_EXPORT char *tmpnam_r(char *name)
{
    SM_PASS_INPUT(tmpnam_r, name);
    return name ? temporary(name) : NULL;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return path && SM_REAL(stat)(path, &status) == 0 && S_ISDIR(status.st_mode);
}

SM_EXPORT char *tempnam(const char *directory, const char *prefix)
{
    SM_PASS_INPUT(tempnam, directory, prefix);
    const char *wanted = secure_getenv("TMPDIR");
    const char *where = is_directory(wanted)      ? wanted
                        : is_directory(directory) ? directory
                                                  : P_tmpdir;
    char name[PATH_MAX];
    if (strlen(where) + sizeof "/abcdeXXXXXX" > sizeof name)
        return NULL;
    sm_format(name, sizeof name, "%s/%.*sXXXXXX", where, 5, prefix ? prefix : "file");
    return unused(name) ? strdup(name) : NULL;
}

SM_EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    char room[PATH_MAX];
    return SM_REAL(readlink)(sm_pid_path(path, room), to, size);
}

/* ---- the system ---- */

static int settle_space(int result, struct statvfs *system)
{
    if (result == 0 && (sm_self() || sm_starting())) {
        system->f_bfree = system->f_bavail = system->f_blocks;
        system->f_ffree = system->f_favail = system->f_files;
    }
    return result;
}

SM_EXPORT int statvfs(const char *restrict path, struct statvfs *restrict system)
{
    char room[PATH_MAX];
    return settle_space(SM_REAL(statvfs)(sm_pid_path(path, room), system), system);
}

SM_EXPORT int fstatvfs(int fd, struct statvfs *system)
{
    return settle_space(SM_REAL(fstatvfs)(fd, system), system);
}

/* The same structure on x86-64. */
SM_EXPORT int statvfs64(const char *restrict path, struct statvfs64 *restrict system)
    __attribute__((alias("statvfs")));
SM_EXPORT int fstatvfs64(int fd, struct statvfs64 *system) __attribute__((alias("fstatvfs")));

SM_EXPORT int sysinfo(struct sysinfo *info)
{
    int result = SM_REAL(sysinfo)(info);
    if (result != 0 || (!sm_self() && !sm_starting()))
        return result;
    struct timespec now;
    sm_clock(CLOCK_BOOTTIME, &now);
    *info = (struct sysinfo){.uptime = now.tv_sec,
                             .totalram = info->totalram,
                             .freeram = info->totalram,
                             .totalswap = info->totalswap,
                             .freeswap = info->totalswap,
                             .procs = 1,
                             .totalhigh = info->totalhigh,
                             .freehigh = info->totalhigh,
                             .mem_unit = info->mem_unit};
    return result;
}

SM_EXPORT int getloadavg(double averages[], int n)
{
    SM_PASS_INPUT(getloadavg, averages, n);
    int most = n < 3 ? n : 3;
    for (int i = 0; i < most; i++)
        averages[i] = 0;
    return most;
}
