/* N threads, each once through a read-write lock, to read: (2N)! / 2^N orders. */
#include <pthread.h>

#ifndef N
#define N 5
#endif
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
