// The signal thread of a server: everybody blocks, one waits; sigwait, sigwaitinfo, sigtimedwait.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static atomic_int begun;

static void *wait_for_all(void *arg)
{
    int signo;
    siginfo_t info;
    assert(sigwait(&set, &signo) == 0 && signo == SIGUSR1);
    atomic_store(&begun, 1);
    for (int i = 0; i < 3; i++) {
        assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_code == SI_QUEUE);
        assert(info.si_value.sival_int == i); /* real-time signals queue, in order */
    }
    assert(sigtimedwait(&set, &info, &(struct timespec){.tv_nsec = 1000000}) == -1);
    assert(errno == EAGAIN);
    return arg;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_all, NULL);
    assert(kill(getpid(), SIGUSR1) == 0);
    /* what is sent to a thread comes before what is sent to the process */
    while (!atomic_load(&begun))
        usleep(10);
    for (int i = 0; i < 3; i++)
        assert(pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = i}) == 0);
    pthread_join(thread, NULL);
    assert(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 9}) == 0);
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_value.sival_int == 9);
    return 0;
}
