// executions: 1
// Each thread has its own, and it begins anew in each execution.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 5;

static void *add(void *arg)
{
    for (int i = 0; i < 3; i++)
        own++;
    assert(own == 8);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(own == 5);
    return 0;
}
