// Thread-local storage: each thread has its own, initialised, and others may reach it by address.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static __thread int own = 7;
static _Thread_local struct {
    char text[64];
    int *self;
} block;
static thread_local long zero;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int *addresses[4];

static void *work(void *arg)
{
    int id = (int)(long)arg;

    assert(own == 7 && zero == 0 && block.self == NULL);
    own += id;
    block.self = &own;
    pthread_mutex_lock(&lock);
    addresses[id] = &own;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);

    pthread_mutex_lock(&lock);
    for (int i = 0; i < 4; i++)
        *addresses[i] += 100;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
    assert(own == 7 + id + 400 && block.self == &own && zero == 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[4];

    pthread_barrier_init(&barrier, NULL, 4);
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(own == 7);
    return 0;
}
