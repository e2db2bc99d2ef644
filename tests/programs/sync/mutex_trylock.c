// A mutex that trylock finds held is held by the other thread; each gets it in the end.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside, total;

static void *work(void *arg)
{
    (void)arg;
    int result;
    while ((result = pthread_mutex_trylock(&mutex)) == EBUSY)
        sched_yield();
    assert(result == 0 && inside++ == 0);
    total++;
    assert(--inside == 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 2);
    return 0;
}
