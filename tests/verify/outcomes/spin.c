// right: 00 11
// wrong: 00 01 10 11
// The same under a spin lock; wrong: the reader does not take it.
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static int first, second;

static void *update(void *unused)
{
    pthread_spin_lock(&lock);
    first = 1;
    second = 1;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&one, NULL, update, NULL);
#ifndef WRONG
    pthread_spin_lock(&lock);
#endif
    int b = second, a = first;
#ifndef WRONG
    pthread_spin_unlock(&lock);
#endif
    pthread_join(one, NULL);
    pthread_spin_destroy(&lock);
    printf("%d%d\n", a, b);
    return 0;
}
