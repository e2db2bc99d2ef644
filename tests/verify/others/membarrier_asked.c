// executions: 3
// models: sc
// The program asks whether there is such a call, and does without.
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;

static void fence(void)
{
    static const int command = MEMBARRIER_CMD_GLOBAL;
    long has = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    if (has > 0 && (has & command))
        syscall(SYS_membarrier, command, 0, 0);
    else
        atomic_thread_fence(memory_order_seq_cst);
}

static void *one(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fence();
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fence();
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, NULL);
    return 0;
}
