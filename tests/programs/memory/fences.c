// Message passing by fences alone, and Dekker's pattern with seq_cst fences: both hold in
// every model.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int ready, x, y;
static int message, r1, r2;

static void *sender(void *arg)
{
    (void)arg;
    message = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);

    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, sender, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        continue;
    atomic_thread_fence(memory_order_acquire);
    assert(message == 42);

    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, NULL);
    assert(r1 || r2);
    return 0;
}
