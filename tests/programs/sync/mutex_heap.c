// Mutexes in memory that is freed while they are locked, and used again for other mutexes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    pthread_mutex_t mutex;
    int value;
};

static void *work(void *arg)
{
    for (int i = 0; i < 20; i++) {
        struct item *item = malloc(sizeof(*item));
        item->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        item->value = i;
        assert(pthread_mutex_lock(&item->mutex) == 0);
        assert(item->value == i);
        free(item);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
