// executions: 6
// Two writers in either order, and a reader before, between or behind them.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *write_both(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    y++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, write_both, NULL);
    pthread_create(&two, NULL, write_both, NULL);
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return x != 2;
}
