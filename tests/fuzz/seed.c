/* A small execution with accesses of most kinds, for the first witness. */
#include <pthread.h>
#include <stdatomic.h>

static int plain;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    plain = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&flag, 2);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = atomic_load_explicit(&flag, memory_order_acquire) ? plain : 0;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen > 1;
}
