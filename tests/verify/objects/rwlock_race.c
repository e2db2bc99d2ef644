// race: x
// Who holds the lock to read may not write: readers are not ordered among themselves.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *increment(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
