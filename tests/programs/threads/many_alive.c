// 1,200 threads alive at once, each with its own thread-local storage.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 1200 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int open_gate, arrived;
static __thread int own;
static atomic_int sum;

static void *work(void *arg)
{
    own = (int)(long)arg;
    pthread_mutex_lock(&lock);
    arrived++;
    while (!open_gate)
        pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&sum, own);
    return arg;
}

int main(void)
{
    static pthread_t threads[THREADS];
    void *result;

    for (long i = 0; i < THREADS; i++)
        assert(!pthread_create(&threads[i], NULL, work, (void *)i));
    pthread_mutex_lock(&lock);
    open_gate = 1;
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
    for (long i = 0; i < THREADS; i++) {
        assert(!pthread_join(threads[i], &result));
        assert(result == (void *)i);
    }
    assert(arrived == THREADS && sum == THREADS * (THREADS - 1) / 2);
    return 0;
}
