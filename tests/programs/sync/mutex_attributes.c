// Attributes of mutexes: type, robustness, priority inheritance, sharing between processes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t mutex;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        assert(pthread_mutex_lock(&mutex) == 0);
        total++;
        assert(pthread_mutex_unlock(&mutex) == 0);
    }
    return NULL;
}

static void two_threads(const pthread_mutexattr_t *attributes)
{
    pthread_t a, b;
    total = 0;
    assert(pthread_mutex_init(&mutex, attributes) == 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 6 && pthread_mutex_destroy(&mutex) == 0);
}

int main(void)
{
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};
    for (int i = 0; i < 4; i++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        assert(pthread_mutexattr_settype(&attributes, types[i]) == 0);
        two_threads(&attributes);
        assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
        two_threads(&attributes);
        assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
        two_threads(&attributes);
        assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
        two_threads(&attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    two_threads(NULL);
    return 0;
}
