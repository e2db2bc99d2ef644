// expect: exit 7
// exit from a thread that is not the first: handlers run in reverse, and still see threads.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int order;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void last(void)
{
    pthread_mutex_lock(&lock);
    assert(order == 2);
    pthread_mutex_unlock(&lock);
    printf("last\n");
}

static void *count(void *arg)
{
    pthread_mutex_lock(&lock);
    order++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void first(void)
{
    pthread_t thread;
    assert(order == 0);
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    count(NULL);
}

static void *leave(void *arg)
{
    (void)arg;
    exit(7);
}

int main(void)
{
    atexit(last);
    atexit(first);
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    for (;;)
        sleep(1);
}
