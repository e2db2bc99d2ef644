// executions: 6
// models: sc tso pso c11
// Who finds too little left gives it back and tries again: what was taken and given back again
// nobody can tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1;
static int count;

static void *pass(void *unused)
{
    while (atomic_fetch_sub_explicit(&left, 1, memory_order_acquire) <= 0) {
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
        while (atomic_load_explicit(&left, memory_order_relaxed) <= 0)
            continue;
    }
    count++;
    atomic_fetch_add_explicit(&left, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, pass, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(count == 3 && left == 1);
    return 0;
}
