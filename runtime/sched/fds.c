/*
 * Threads blocked in system calls on descriptors. The call itself is made only when poll(2) shows
 * that it will not block, so one kernel thread can wait for all of them.
 *
 * When another process makes a descriptor ready depends on real time, which differs between runs.
 * So descriptors that only the outside world can make ready (a child that ends) are polled when no
 * thread can run, with some time to react: a run with a fast child is repeatable, although the
 * child is not controlled.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/sys.h"
#include "runtime/control.h"
#include "runtime/intercept/io.h"
#include "runtime/sched/internal.h"
#include "runtime/sched/sched.h"

/* How long the outside has to react, in milliseconds: each time, and in total; after that it is
   only polled in passing. A child ends eventually, and on a machine with ten times its capacity of
   load a shell that only exits took over 20 ms; a descriptor may never become ready, and then the
   wait is lost time. */
struct patience {
    int64_t slice, left;
};
static struct patience for_children = {2000, 20000}, for_others = {20, 500};

static uint32_t waiting;
uint32_t sm_fds_points = SM_FDS_RARELY;
bool sm_fds_are_new;
static struct pollfd *polls;
static struct sm_thread **owners;
static uint32_t capacity;

void sm_fds_waiting(int change)
{
    waiting += (uint32_t)change;
}

void sm_fds_changed(void)
{
    sm_fds_are_new = true;
}

static void make_room(void)
{
    uint32_t needed = sm_thread_count() + 1; /* for signals */
    if (needed <= capacity)
        return;
    if (capacity) {
        sm_free(polls, capacity * sizeof *polls);
        sm_free(owners, capacity * sizeof(*owners));
    }
    capacity = needed * 2;
    polls = sm_alloc(capacity * sizeof *polls);
    owners = sm_alloc(capacity * sizeof(*owners));
}

static uint32_t collect(bool outside)
{
    uint32_t n = 0;
    for (struct sm_thread *t = sm_thread_by_id(0); t; t = t->next) {
        if (t->state != SM_THREAD_BLOCKED || t->wait_fd < 0 || (t->wait_outside && !outside))
            continue;
        polls[n] = (struct pollfd){.fd = t->wait_fd, .events = t->wait_events};
        owners[n++] = t;
    }
    return n;
}

static uint32_t wake_ready(uint32_t n)
{
    uint32_t woken = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!polls[i].revents)
            continue;
        sm_wake_thread(owners[i], SM_WOKEN);
        woken++;
    }
    return woken;
}

static uint32_t look(void)
{
    make_room();
    uint32_t n = collect(false);
    sm_syscall(SYS_poll, polls, (long)n, 0L);
    return wake_ready(n);
}

/* A signal ends it, too, also one that has come already. */
static void wait_for_ever(void)
{
    make_room();
    uint32_t n = collect(true), arrivals = sm_io_arrivals(&polls[n]);
    sm_syscall(SYS_poll, polls, (long)n + arrivals, -1L);
    if (arrivals && polls[n].revents)
        sm_io_forget_arrivals();
    wake_ready(n);
}

/* Moves the ready ones to the front; returns how many there are. */
static uint32_t ready_to_front(uint32_t ready, uint32_t n)
{
    for (uint32_t i = ready; i < n; i++) {
        if (!polls[i].revents)
            continue;
        struct pollfd poll_fd = polls[i];
        struct sm_thread *owner = owners[i];
        polls[i] = polls[ready];
        owners[i] = owners[ready];
        polls[ready] = poll_fd;
        owners[ready++] = owner;
    }
    return ready;
}

/* Threads become runnable in the order of their numbers, not in that in which children ended, which
   is random: a round robin would depend on it. */
static void sort_ready(uint32_t ready)
{
    for (uint32_t i = 1; i < ready; i++) {
        struct pollfd poll_fd = polls[i];
        struct sm_thread *owner = owners[i];
        uint32_t at = i;
        for (; at && owners[at - 1]->id > owner->id; at--) {
            polls[at] = polls[at - 1];
            owners[at] = owners[at - 1];
        }
        polls[at] = poll_fd;
        owners[at] = owner;
    }
}

static int64_t milliseconds_now(void)
{
    struct timespec now;
    sm_syscall(SYS_clock_gettime, (long)CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The patience for the descriptors from `first` on. A program that never had a child waits only for
   itself: patience gains nothing. */
static struct patience *patience_for(uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < n; i++)
        if (owners[i]->wait_outside)
            return &for_children;
    return first < n && sm_io_expects_arrival() ? &for_others : NULL;
}

/* Waits a slice of time for all of them, because which of two children ends first is random again.
 */
static uint32_t look_outside(void)
{
    make_room();
    uint32_t n = collect(true), ready = 0;
    int64_t start = milliseconds_now();
    while (ready < n) {
        struct patience *patience = patience_for(ready, n);
        int64_t before = milliseconds_now(), left = 0;
        if (patience && patience->left > 0 && before < start + patience->slice)
            left = start + patience->slice - before;
        long got = sm_syscall(SYS_poll, &polls[ready], (long)(n - ready), (long)left);
        if (patience)
            patience->left -= milliseconds_now() - before;
        if (got == -EINTR && left) /* perhaps by the end of a child: another may be about to end */
            continue;
        if (got <= 0)
            break;
        ready = ready_to_front(ready, n);
    }
    sort_ready(ready);
    return wake_ready(ready);
}

/* ---- descriptors of this process only ---- */

static bool read_name(int fd, char *to, size_t room)
{
    char path[64];
    sm_format(path, sizeof path, "/proc/self/fd/%d", fd);
    long n = sm_syscall(SYS_readlink, path, to, room - 1);
    to[n > 0 ? n : 0] = 0;
    return n > 0;
}

/* False: it does not exist, or is longer. */
static bool read_info(int fd, char *to, size_t room)
{
    char path[64];
    sm_format(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    long file = sm_syscall(SYS_open, path, (long)(O_RDONLY | O_CLOEXEC), 0L), size = 0, n = 1;
    while (file >= 0 && n > 0 && size < (long)room - 1) {
        n = sm_syscall(SYS_read, file, to + size, room - 1 - (size_t)size);
        size += n > 0 ? n : 0;
    }
    if (file >= 0)
        sm_syscall(SYS_close, file);
    to[size] = 0;
    return file >= 0 && n == 0;
}

static int number_at(const char *text)
{
    int number = 0;
    while (*text == ' ' || *text == '\t')
        text++;
    for (; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (*text - '0');
    return number;
}

static bool is_own(int fd, int depth);

/* All that an epoll descriptor watches, as the kernel lists it. */
static bool watches_own(int epoll, int depth)
{
    static char info[1 << 14] SM_SELDOM;
    static const char key[] = "tfd:";
    int watched[64], n = 0;
    sm_seldom_touch(info, sizeof info);
    if (depth > 4 || !read_info(epoll, info, sizeof info))
        return false;
    for (const char *at = info; (at = strstr(at, key)); at += sizeof key) {
        if (n == (int)SM_ARRAY_SIZE(watched))
            return false;
        watched[n++] = number_at(at + sizeof key - 1);
    }
    bool own = true;
    for (int i = 0; own && i < n; i++)
        own = is_own(watched[i], depth + 1);
    return own;
}

/* The end of a pair or of a connection of Unix-domain sockets that another descriptor of this
   process, or of the fork server before main, has made with it. Other sockets have no such process.
 */
static bool is_own_socket(int fd)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    sm_syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_PEERCRED, &peer, &size);
    return peer.pid && (peer.pid == (pid_t)sm_syscall(SYS_getpid) ||
                        (sm_control->serve && peer.pid == (pid_t)sm_syscall(SYS_getppid)));
}

static bool exchanged; /* descriptors were sent to another process, or came from one */

void sm_fds_exchanged(int fd, const struct msghdr *message)
{
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at;
         at = CMSG_NXTHDR((struct msghdr *)message, at))
        exchanged |=
            at->cmsg_level == SOL_SOCKET && at->cmsg_type == SCM_RIGHTS && !is_own_socket(fd);
}

/* A program inherits only 0, 1 and 2, and those are files: pipes and event descriptors are its own,
   and without a child no other process has them. */
static bool is_own(int fd, int depth)
{
    char name[64];
    if (exchanged || !read_name(fd, name, sizeof name))
        return false;
    if (strncmp(name, "socket:[", 8) == 0)
        return is_own_socket(fd);
    if (strncmp(name, "pipe:[", 6) == 0 || strcmp(name, "anon_inode:[eventfd]") == 0)
        return true;
    return strcmp(name, "anon_inode:[eventpoll]") == 0 && watches_own(fd, depth);
}

/* Then nothing will ever arrive: it is a deadlock. */
static bool waits_for_itself(void)
{
    if (sm_io_expects_arrival())
        return false;
    for (const struct sm_thread *t = sm_thread_by_id(0); t; t = t->next)
        if (t->state == SM_THREAD_BLOCKED && t->wait_fd >= 0 &&
            (t->wait_outside || !is_own(t->wait_fd, 0)))
            return false;
    return true;
}

bool sm_fds_settle(bool for_ever)
{
    if (!waiting)
        return false;
    if (look() || look_outside())
        return true;
    if (!for_ever || waits_for_itself())
        return false;
    wait_for_ever();
    return true;
}

void sm_fds_look(void)
{
    if (!sm_fds_points) {
        sm_fds_points = SM_FDS_RARELY;
        sm_signals_import();
        if (waiting)
            look_outside();
    }
    if (!sm_fds_are_new)
        return;
    sm_fds_are_new = false;
    if (waiting)
        look();
}
