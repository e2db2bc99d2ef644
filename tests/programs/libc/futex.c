// A mutex and an event made of futexes, by syscall; time-outs, bitsets, requeue.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };
static atomic_int mutex, event, other;
static int counter;

static long futex(atomic_int *word, int operation, int value, const void *time, atomic_int *second,
                  unsigned last)
{
    return syscall(SYS_futex, word, operation, value, time, second, last);
}

static void lock(void)
{
    int free_value = 0;
    if (atomic_compare_exchange_strong(&mutex, &free_value, 1))
        return;
    while (atomic_exchange(&mutex, 2) != 0)
        futex(&mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&mutex, 0) == 2)
        futex(&mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *arg)
{
    while (atomic_load(&event) == 0)
        futex(&event, FUTEX_WAIT_BITSET, 0, NULL, NULL, arg ? 1 : 2);
    for (int i = 0; i < 5; i++) {
        lock();
        counter++;
        unlock();
    }
    return NULL;
}

static void check_errors(void)
{
    struct timespec soon = {.tv_nsec = 1000000}, past = {0};
    assert(futex(&other, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
    assert(futex(&other, FUTEX_WAIT, 0, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
    assert(futex(&other, FUTEX_WAIT_BITSET, 0, &past, NULL, 1) == -1 && errno == ETIMEDOUT);
    assert(futex(&other, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
}

int main(void)
{
    pthread_t threads[THREADS];
    check_errors();
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i % 2));
    usleep(100);
    /* Moved to the other word, waiters still are where a wake-up finds them. */
    futex(&event, FUTEX_CMP_REQUEUE, 0, (void *)(uintptr_t)INT_MAX, &other, 0);
    atomic_store(&event, 1);
    futex(&other, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, 1);
    futex(&other, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, 2);
    futex(&event, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 5 * THREADS);
    return 0;
}
