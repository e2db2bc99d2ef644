// nothing to tell: the twin of ring.c
#include <pthread.h>
#include <stdlib.h>
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *adder(void *unused)
{
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, adder, NULL);
    pthread_create(&threads[1], NULL, adder, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (value != 2)
        abort();
    return 0;
}
