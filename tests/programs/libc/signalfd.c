// Signals that are blocked are read from a descriptor: those of kill, raise, timers and children.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd;

static sigset_t set_of(int a, int b)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, a);
    sigaddset(&set, b);
    return set;
}

static void expect(int signo, int code)
{
    struct signalfd_siginfo info;
    assert(read(fd, &info, sizeof info) == sizeof info);
    assert(info.ssi_signo == (unsigned)signo && info.ssi_code == code);
    if (code == SI_USER || code == SI_QUEUE)
        assert(info.ssi_pid == (unsigned)getpid() && info.ssi_uid == getuid());
}

static void read_several(void)
{
    struct signalfd_siginfo both[3];
    union sigval value = {.sival_int = 42};
    assert(kill(getpid(), SIGUSR1) == 0 && sigqueue(getpid(), SIGUSR2, value) == 0);
    assert(read(fd, both, sizeof both) == 2 * sizeof *both);
    assert(both[0].ssi_signo == SIGUSR1 && both[1].ssi_signo == SIGUSR2);
    assert(both[1].ssi_int == 42);
    assert(read(fd, both, 4) == -1 && errno == EINVAL);
}

static void poll_it(void)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN};
    int set = epoll_create1(0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
    assert(poll(&one, 1, 0) == 0 && epoll_wait(set, &event, 1, 0) == 0);
    assert(raise(SIGUSR1) == 0);
    assert(poll(&one, 1, -1) == 1 && epoll_wait(set, &event, 1, -1) == 1);
    expect(SIGUSR1, SI_TKILL);
    assert(poll(&one, 1, 0) == 0 && epoll_wait(set, &event, 1, 0) == 0);
    close(set);
}

static void read_without_waiting(void)
{
    struct signalfd_siginfo info;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    assert(read(fd, &info, sizeof info) == -1 && errno == EAGAIN);
    fcntl(fd, F_SETFL, 0);
}

static void *send(void *unused)
{
    assert(kill(getpid(), SIGUSR2) == 0);
    return unused;
}

static void wait_for_thread(void)
{
    pthread_t thread;
    assert(pthread_create(&thread, NULL, send, NULL) == 0);
    expect(SIGUSR2, SI_USER);
    pthread_join(thread, NULL);
}

/* The set is replaced. */
static void wait_for_alarm(void)
{
    struct itimerval soon = {.it_value.tv_usec = 1000};
    struct pollfd one = {.fd = fd, .events = POLLIN};
    sigset_t set = set_of(SIGALRM, SIGCHLD);
    assert(signalfd(fd, &set, 0) == fd);
    assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    assert(poll(&one, 1, -1) == 1);
    expect(SIGALRM, SI_KERNEL);
}

static void wait_for_child(int polls)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    assert(!polls || poll(&one, 1, -1) == 1);
    expect(SIGCHLD, CLD_EXITED);
    assert(waitpid(child, NULL, 0) == child);
}

int main(void)
{
    sigset_t all, set = set_of(SIGUSR1, SIGUSR2);
    sigfillset(&all);
    assert(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
    fd = signalfd(-1, &set, SFD_CLOEXEC);
    assert(fd >= 0 && kill(getpid(), SIGUSR1) == 0);
    expect(SIGUSR1, SI_USER);
    read_several();
    poll_it();
    read_without_waiting();
    wait_for_thread();
    wait_for_alarm();
    wait_for_child(0);
    wait_for_child(1);
    return close(fd);
}
