// Detached threads end by themselves; main leaves by pthread_exit and they go on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int ended;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_fetch_add(&ended, 1) == 4) {
        puts("last");
        exit(0);
    }
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, &attr, work, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, NULL);
        pthread_detach(thread);
    }
    pthread_exit(NULL);
}
