// Two locks taken in two orders.
#include <pthread.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int balance, entries;

static void *transfer(void *unused)
{
    pthread_mutex_lock(&accounts);
    balance += 10;
    pthread_mutex_lock(&journal);
    entries++;
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&accounts);
    return unused;
}

static void *audit(void *unused)
{
    pthread_mutex_lock(&journal);
    int seen = entries;
    pthread_mutex_lock(&accounts);
    balance -= seen;
    pthread_mutex_unlock(&accounts);
    pthread_mutex_unlock(&journal);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, transfer, NULL);
    pthread_create(&threads[1], NULL, audit, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
