// race: x
/* What the owner of a robust mutex does is ordered with who locks it next; a thread that does not
   lock it races with both. */
#define _GNU_SOURCE
#include "../race.h"

int x;
pthread_mutex_t mutex;

static void *dies(void *unused)
{
    pthread_mutex_lock(&mutex);
    x = 1;
    done(0);
    return unused;
}

static void *looks(void *unused)
{
    after(0);
    USE(x);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    run(dies, looks);
    return 0;
}
