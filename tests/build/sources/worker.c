#include "counter.h"

#include <pthread.h>

int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg)
{
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}
