// violation: assert
// models: c11
// Another thread sees that the share was taken when the first one has long gone on: an old value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, done;

static void *pass(void *unused)
{
    while (atomic_fetch_sub_explicit(&left, 1, memory_order_relaxed) <= 0) {
        atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
        while (atomic_load_explicit(&left, memory_order_relaxed) <= 0)
            continue;
    }
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static void *give(void *unused)
{
    atomic_fetch_add_explicit(&left, 1, memory_order_relaxed);
    return unused;
}

static void *look(void *unused)
{
    if (atomic_load_explicit(&done, memory_order_relaxed))
        assert(atomic_load_explicit(&left, memory_order_relaxed) != -1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, pass, NULL);
    pthread_create(&threads[1], NULL, give, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
