// executions: 2
// Who holds the lock to read may take it to read once more.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    pthread_rwlock_rdlock(&lock);
    int before = x;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    int after = x;
    pthread_rwlock_unlock(&lock);
    pthread_join(one, NULL);
    return before != after;
}
