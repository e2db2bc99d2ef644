// A sequence lock with atomic data: a reader never sees half an update.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned sequence;
static _Atomic int a, b;

static void *writer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 5; i++) {
        atomic_fetch_add_explicit(&sequence, 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&a, i, memory_order_relaxed);
        atomic_store_explicit(&b, -i, memory_order_relaxed);
        atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, writer, NULL);
    for (int done = 0; done < 3;) {
        unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
        int x = atomic_load_explicit(&a, memory_order_relaxed);
        int y = atomic_load_explicit(&b, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 || atomic_load_explicit(&sequence, memory_order_relaxed) != before)
            continue;
        assert(x == -y);
        done++;
    }
    pthread_join(thread, NULL);
    return 0;
}
