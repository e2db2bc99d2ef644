// hb: 00 01 11
// past: 00 01 11
// What was learnt under a lock is known behind it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static int x;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    x = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&one, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    int a = x;
    pthread_mutex_unlock(&mutex);
    int b = x;
    printf("%d%d\n", a, b);
    pthread_join(one, NULL);
    return 0;
}
