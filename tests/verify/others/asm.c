// executions: 3
// race: x
// models: sc tso pso
// Inline assembly is a full fence: not both threads read 0.
#include <assert.h>
#include <pthread.h>

static int x, y, a, b;

static void *one(void *arg)
{
    x = 1;
    __asm__ volatile("mfence" ::: "memory");
    a = y;
    return arg;
}

static void *two(void *arg)
{
    y = 1;
    __asm__ volatile("mfence" ::: "memory");
    b = x;
    return arg;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a || b);
    return 0;
}
