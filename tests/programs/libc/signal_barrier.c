// A handler that runs while its thread waits at a barrier does not let it through.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int handled, passed;

static void on_signal(int signo)
{
    (void)signo;
    atomic_fetch_add(&handled, 1);
}

static void *work(void *arg)
{
    pthread_barrier_wait(&barrier);
    atomic_store(&passed, 1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    while (!atomic_load(&handled))
        ;
    assert(!atomic_load(&passed));
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    assert(atomic_load(&passed) == 1 && atomic_load(&handled) == 1);
    return 0;
}
