// violation: fails the assertion
// The waiter has told before that it waits, in the same section, so it cannot just come late. The
// other thread gives back the mutex and then signals: a wait that ends for no reason in between
// finds the flag set, and goes on before the signal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, other = PTHREAD_COND_INITIALIZER;
static int arrived, ready;
static atomic_int told;

static void *tell(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!arrived)
        pthread_cond_wait(&other, &mutex);
    ready = 1;
#ifdef RIGHT
    atomic_store(&told, 1);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
#else
    pthread_mutex_unlock(&mutex);
    atomic_store(&told, 1);
    pthread_cond_signal(&cond);
#endif
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, tell, NULL);
    pthread_mutex_lock(&mutex);
    arrived = 1;
    pthread_cond_signal(&other);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    assert(atomic_load(&told));
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    return 0;
}
