// Normal, recursive, errorcheck and adaptive mutexes each exclude, and answer misuse as glibc does.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutexes[] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
    PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
};
static int counts[4];

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++) {
        assert(pthread_mutex_lock(&mutexes[i]) == 0);
        counts[i]++;
        assert(pthread_mutex_unlock(&mutexes[i]) == 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < 4; i++)
        assert(counts[i] == 2);

    pthread_mutex_t *recursive = &mutexes[1], *checked = &mutexes[2];
    assert(pthread_mutex_lock(recursive) == 0 && pthread_mutex_lock(recursive) == 0);
    assert(pthread_mutex_trylock(recursive) == 0);
    for (int i = 0; i < 3; i++)
        assert(pthread_mutex_unlock(recursive) == 0);
    assert(pthread_mutex_unlock(recursive) == EPERM);
    assert(pthread_mutex_unlock(checked) == EPERM);
    assert(pthread_mutex_lock(checked) == 0);
    assert(pthread_mutex_lock(checked) == EDEADLK && pthread_mutex_trylock(checked) == EBUSY);
    assert(pthread_mutex_destroy(checked) == EBUSY);
    assert(pthread_mutex_unlock(checked) == 0 && pthread_mutex_destroy(checked) == 0);
    return 0;
}
