// right: 00 11
// wrong: 00 01 10 11
// Two fields that belong together; wrong: the writer takes the lock to read.
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock;
static int first, second;

static void *update(void *unused)
{
#ifdef WRONG
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    first = 1;
    second = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&one, NULL, update, NULL);
    pthread_rwlock_rdlock(&lock);
    int b = second, a = first;
    pthread_rwlock_unlock(&lock);
    pthread_join(one, NULL);
    pthread_rwlock_destroy(&lock);
    printf("%d%d\n", a, b);
    return 0;
}
