// right: 00 11 busy
// wrong: 00 01 10 11
// Trying orders what it gets; wrong: goes on when it does not get it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static int first, second;

static void *update(void *unused)
{
    pthread_mutex_lock(&mutex);
    first = 1;
    second = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void look(void)
{
    int busy = pthread_mutex_trylock(&mutex);
#ifndef WRONG
    if (busy) {
        puts("busy");
        return;
    }
#endif
    int b = second, a = first;
    printf("%d%d\n", a, b);
    if (!busy)
        pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t one;
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&one, NULL, update, NULL);
    look();
    pthread_join(one, NULL);
    pthread_mutex_destroy(&mutex);
    return 0;
}
