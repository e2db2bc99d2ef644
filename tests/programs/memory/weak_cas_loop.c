// expect: exit 0
// A weak compare-exchange that fails spuriously changes nothing, gives the value it read, and
// succeeds when it is tried again; a strong one never fails so.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;
static atomic_char flag;

static void *add(void *arg)
{
    for (int i = 0; i < 5; i++) {
        int seen = atomic_load(&sum);
        while (!atomic_compare_exchange_weak_explicit(&sum, &seen, seen + 1, memory_order_acq_rel,
                                                      memory_order_relaxed))
            assert(seen >= i);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&sum) == 10);
    for (char i = 0; i < 40; i++) {
        char expected = i;
        assert(atomic_compare_exchange_strong(&flag, &expected, (char)(i + 1)));
    }
    return 0;
}
