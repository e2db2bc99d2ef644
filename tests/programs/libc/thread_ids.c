// gettid: the process's own in the first thread, another in each other; tgkill finds them.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only distances are kept: the process's number is another in each run. */
static atomic_int caught, tids[2];

static void catch (int signo)
{
    (void)signo;
    atomic_store(&caught, gettid() - getpid());
}

static void *work(void *arg)
{
    atomic_store(&tids[arg != NULL], gettid() - getpid());
    assert(syscall(SYS_gettid) == gettid());
    if (arg)
        while (!atomic_load(&caught))
            usleep(10);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    signal(SIGUSR1, catch);
    assert(gettid() == getpid());
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_join(threads[0], NULL);
    pthread_create(&threads[1], NULL, work, threads);
    while (!atomic_load(&tids[1]))
        usleep(10);
    assert(tgkill(getpid(), getpid() + tids[1], SIGUSR1) == 0);
    pthread_join(threads[1], NULL);
    assert(atomic_load(&caught) == atomic_load(&tids[1]));
    return 0;
}
