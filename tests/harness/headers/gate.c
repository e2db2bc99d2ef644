#include "gate.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

void gate_reset(void)
{
    pthread_mutex_lock(&lock);
    sum = 0;
    pthread_mutex_unlock(&lock);
}

bool gate_try_add(int amount)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return false;
    sum += amount;
    pthread_mutex_unlock(&lock);
    return true;
}

int gate_sum(void)
{
    pthread_mutex_lock(&lock);
    int now = sum;
    pthread_mutex_unlock(&lock);
    return now;
}
