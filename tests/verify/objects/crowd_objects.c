// executions: 1
// models: sc c11
// Threads beyond the 64th at a barrier and with a read-write lock.
#include <assert.h>
#include <pthread.h>

enum { N = 70 };
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&lock);
    assert(x == 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_rwlock_wrlock(&lock);
    x = 2;
    pthread_rwlock_unlock(&lock);
    return 0;
}
