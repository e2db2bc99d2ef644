// refused: asks for a fence in other threads (membarrier)
// Store buffering, with one fence for both: the other thread's is not in its code.
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;

static void *one(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
