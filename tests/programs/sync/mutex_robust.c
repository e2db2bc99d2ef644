// The owner of a robust mutex ends: the next gets EOWNERDEAD, and can make it whole or lose it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *die_with_it(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    if (arg)
        pthread_exit(arg);
    return NULL;
}

static void lose_owner(void *arg)
{
    pthread_t thread;
    pthread_create(&thread, NULL, die_with_it, arg);
    pthread_join(thread, NULL);
}

static void *wait_for_it(void *arg)
{
    (void)arg;
    int result = pthread_mutex_lock(&mutex);
    assert(result == EOWNERDEAD || result == ENOTRECOVERABLE);
    if (result == EOWNERDEAD)
        assert(pthread_mutex_unlock(&mutex) == 0);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutex_init(&mutex, &attributes) == 0);

    lose_owner(NULL);
    assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);

    lose_owner(&mutex);
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, wait_for_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
