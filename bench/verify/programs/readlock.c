/* N threads take a read-write lock to write, READERS to read: N! (N + 1)^READERS ways. */
#include <pthread.h>

#ifndef N
#define N 4
#endif
#define READERS 4
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *change(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[N + READERS];
    for (int i = 0; i < N + READERS; i++)
        pthread_create(&threads[i], NULL, i < N ? change : look, NULL);
    for (int i = 0; i < N + READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
