/* What a barrier returns: looked at once, ignored twice. What calls that fail return: the same; a
   call that does not fail, and trylock, are not asked for their results. */
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t barrier;

static void fail(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, 99);
    (void)pthread_mutexattr_settype(&attributes, 98);
    if (pthread_mutexattr_settype(&attributes, 97) != EINVAL)
        pthread_mutexattr_destroy(&attributes);
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
}

// hooks: sm_ignore_result 2
// hooks: sm_unchecked 2
int main(void)
{
    fail();
    pthread_barrier_init(&barrier, NULL, 1);
    pthread_barrier_wait(&barrier);
    (void)pthread_barrier_wait(&barrier);
    return pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD;
}
