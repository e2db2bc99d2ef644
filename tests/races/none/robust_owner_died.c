// no race
/* The death of a robust mutex's owner happens before the next lock. */
#define _GNU_SOURCE
#include "../race.h"

#include <errno.h>
#include <time.h>

int x;
pthread_mutex_t mutex;

static void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    x = 1;
    return unused;
}

static void *inherits(void *unused)
{
    struct timespec pause = {0, 1000000};
    int result;
    while ((result = pthread_mutex_trylock(&mutex)) == EBUSY)
        nanosleep(&pause, NULL);
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    x = 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    run(dies, inherits);
    return 0;
}
