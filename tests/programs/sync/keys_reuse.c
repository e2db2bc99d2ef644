// A key that is deleted and made again has no values; there are PTHREAD_KEYS_MAX keys at most.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static void never(void *value)
{
    (void)value;
    assert(0);
}

static void *work(void *arg)
{
    pthread_key_t key, keys[PTHREAD_KEYS_MAX];
    int n = 0;
    assert(pthread_key_create(&key, never) == 0);
    pthread_setspecific(key, arg);
    assert(pthread_key_delete(key) == 0 && pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(key, arg) == EINVAL);
    assert(pthread_key_create(&key, never) == 0 && !pthread_getspecific(key));
    while (n < PTHREAD_KEYS_MAX && pthread_key_create(&keys[n], NULL) == 0)
        pthread_setspecific(keys[n], &keys[n]), n++;
    assert(n > 0 && n < PTHREAD_KEYS_MAX);
    assert(pthread_getspecific(keys[n - 1]) == &keys[n - 1]);
    while (n)
        assert(pthread_key_delete(keys[--n]) == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int five = 5;
    pthread_create(&thread, NULL, work, &five);
    pthread_join(thread, NULL);
    return 0;
}
