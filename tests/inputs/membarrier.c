/* Dekker's core with one fence for both threads: membarrier. TWIN: without it. */
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef TWIN
#define HEAVY() __asm__ volatile("" ::: "memory")
#else
#define HEAVY() syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0)
#endif

static volatile int x, y;
static int first, second;

static void *one(void *arg)
{
    x = 1;
    HEAVY();
    first = y;
    return arg;
}

static void *two(void *arg)
{
    y = 1;
    __asm__ volatile("" ::: "memory");
    second = x;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first || second);
    return 0;
}
