// executions: 1
// The twin of stack_hb.c: the local outlives the thread that has its address.
#include <assert.h>
#include <pthread.h>

static void *set(void *local)
{
    *(int *)local = 1;
    return NULL;
}

static void *outer(void *arg)
{
    int local = 0;
    pthread_t inner;
    pthread_create(&inner, NULL, set, &local);
    pthread_join(inner, NULL);
    assert(local == 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
}
