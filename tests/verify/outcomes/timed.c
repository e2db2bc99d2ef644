// right: late 1
// wrong: late 0 1
// A wait with a time limit; wrong: when it was over, the flag is looked at without the mutex.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *produce(void *unused)
{
    pthread_mutex_lock(&mutex);
    data = 1;
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static int is_ready(void)
{
    struct timespec soon = {.tv_sec = 2000000000};
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_timedwait(&cond, &mutex, &soon);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
#ifdef WRONG
    seen = ready;
#endif
    return seen;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, produce, NULL);
    if (is_ready())
        printf("%d\n", data);
    else
        puts("late");
    pthread_join(one, NULL);
    return 0;
}
