// Threads add to a plain variable atomically; when they were joined, it is read plainly.
#include <pthread.h>
#include <stdio.h>

static int count;

static void *work(void *unused)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", count);
    return 0;
}
