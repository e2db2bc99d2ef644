// executions: 6
// A mutex of three states whose waiters sleep in the kernel (Drepper, "Futexes Are Tricky").
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, CONTENDED };
static atomic_uint state;
static int total;

static void lock(void)
{
    unsigned seen = FREE;
    if (atomic_compare_exchange_strong(&state, &seen, TAKEN))
        return;
    while (atomic_exchange(&state, CONTENDED) != FREE)
        syscall(SYS_futex, &state, FUTEX_WAIT, CONTENDED, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&state, FREE) == CONTENDED)
        syscall(SYS_futex, &state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void *add(void *arg)
{
    lock();
    total++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 2);
}
