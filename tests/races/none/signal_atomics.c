// no race
/* A handler publishes while its thread synchronises all the time. */
#define _GNU_SOURCE
#include "../race.h"
#include <signal.h>
#include <stdatomic.h>

enum { ROUNDS = 100 };
int data;
static atomic_int published, taken, over;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int signo)
{
    (void)signo;
    data++;
    atomic_store_explicit(&published, 1, memory_order_release);
}

static void *a(void *unused)
{
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        atomic_fetch_add(&taken, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, NULL, a, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_kill(thread, SIGUSR1);
        while (!atomic_load_explicit(&published, memory_order_acquire))
            sched_yield();
        atomic_store_explicit(&published, 0, memory_order_relaxed);
        data++;
    }
    atomic_store(&over, 1);
    return pthread_join(thread, NULL);
}
