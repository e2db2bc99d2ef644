// right: 2
// wrong: 0 1 2
// Relaxed additions to a plain variable, read plainly when both threads were joined; wrong: before.
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
#ifdef WRONG
    int seen = count;
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
#ifndef WRONG
    int seen = count;
#endif
    printf("%d\n", seen);
    return 0;
}
