// executions: 2
// count: 17
// models: sc tso pso c11
// A thread tries sixteen times, with a pause in between, and then waits: how often it has tried
// makes no difference.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int ready;
static bool in_time;

static bool spin(void)
{
    for (int i = 0; i < 16; i++) {
        if (atomic_load(&ready))
            return true;
        if (i < 12)
            sched_yield();
    }
    return false;
}

static void *wait(void *unused)
{
    in_time = spin();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}
