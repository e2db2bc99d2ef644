// executions: 2
// models: sc tso pso c11
// A spin lock around realloc(): iterations of the lock have no effect, whatever else the program
// calls.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_flag held = ATOMIC_FLAG_INIT;
static int *values, count;

static void *add(void *unused)
{
    while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
        sched_yield();
    values = realloc(values, (size_t)(count + 1) * sizeof *values);
    values[count++] = 1;
#ifdef WRONG
    atomic_flag_clear_explicit(&held, memory_order_relaxed);
#else
    atomic_flag_clear_explicit(&held, memory_order_release);
#endif
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count != 2;
}
