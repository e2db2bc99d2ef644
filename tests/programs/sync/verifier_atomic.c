// Functions named __VERIFIER_atomic_* are not interrupted.
#include <assert.h>
#include <pthread.h>

static int x;

static int __VERIFIER_atomic_increment(void)
{
    int old = x;
    if (old < 0)
        return old;
    x = old + 1;
    return x;
}

static void *increment(void *unused)
{
    for (int i = 0; i < 5; i++)
        assert(__VERIFIER_atomic_increment() > i);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == 10);
    return 0;
}
