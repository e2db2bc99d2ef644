// A reader waits, with the lock, for another one that is yet to take it: a writer that waits
// meanwhile does not hold it up.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int come;
static int x;

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    atomic_store(&come, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *read_and_wait(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    while (!atomic_load(&come))
        ;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, write_it, NULL);
    pthread_create(&two, NULL, read_it, NULL);
    pthread_create(&three, NULL, read_and_wait, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return x != 1;
}
