// race: x
// A trylock that fails orders nothing.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *locker(void *unused)
{
    x = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *trier(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else
        x = 2;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, locker, NULL);
    pthread_create(&two, NULL, trier, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
