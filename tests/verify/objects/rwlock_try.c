// executions: 3
// trywrlock before the reader, while it reads, and behind it; to lock again is an error.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(x == 0 || x == 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, reader, NULL);
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        x++;
        assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(one, NULL);
    return 0;
}
