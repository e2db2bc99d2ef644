// Values of keys belong to a thread; destructors run at its end, again when they set values.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t plain, stubborn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int plain_runs, stubborn_runs;

static void destroy_plain(void *value)
{
    assert(pthread_getspecific(plain) == NULL && *(int *)value == 5);
    pthread_mutex_lock(&mutex);
    plain_runs++;
    pthread_mutex_unlock(&mutex);
}

static void destroy_stubborn(void *value)
{
    pthread_mutex_lock(&mutex);
    stubborn_runs++;
    pthread_mutex_unlock(&mutex);
    pthread_setspecific(stubborn, value);
}

static void *work(void *leave)
{
    int *value = leave;
    assert(!pthread_getspecific(plain));
    assert(pthread_setspecific(plain, value) == 0 && pthread_getspecific(plain) == value);
    pthread_setspecific(stubborn, value);
    if (leave)
        pthread_exit(NULL);
    return NULL;
}

int main(void)
{
    static int five = 5;
    pthread_t a, b;
    assert(pthread_key_create(&plain, destroy_plain) == 0);
    assert(pthread_key_create(&stubborn, destroy_stubborn) == 0);
    pthread_setspecific(plain, &a);
    pthread_create(&a, NULL, work, &five);
    pthread_create(&b, NULL, work, &five);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(plain_runs == 2 && stubborn_runs == 2 * PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(pthread_getspecific(plain) == &a);
    return 0;
}
