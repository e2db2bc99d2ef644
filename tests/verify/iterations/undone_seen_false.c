// violation: assert
// models: sc tso pso c11
// Before the share is given back another thread sees that it was taken, and the first one goes on
// after that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, done;

static void *pass(void *unused)
{
    while (atomic_fetch_sub(&left, 1) <= 0) {
        atomic_fetch_add(&left, 1);
        while (atomic_load(&left) <= 0)
            continue;
    }
    atomic_store(&done, 1);
    return unused;
}

static void *look(void *unused)
{
    int seen = atomic_load(&left);
    atomic_fetch_add(&left, 1);
    while (!atomic_load(&done))
        continue;
    assert(seen != -1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, pass, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
