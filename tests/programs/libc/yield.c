// Spinning on a flag with sched_yield or thrd_yield lets the other thread set it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int turn;

static void *work(void *arg)
{
    int me = arg != NULL;
    for (int i = 0; i < 10; i++) {
        while (atomic_load(&turn) % 2 != me) {
            if (me)
                sched_yield();
            else
                thrd_yield();
        }
        atomic_fetch_add(&turn, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    work(NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&turn) == 20);
    assert(sched_getcpu() >= 0);
    return 0;
}
