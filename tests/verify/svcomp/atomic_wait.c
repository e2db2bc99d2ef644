// A block that would have to wait for a mutex begins when it need not: no deadlock, although the
// holder of the mutex wants a block of its own.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *inside(void *arg)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return arg;
}

static void *outside(void *arg)
{
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, inside, 0);
    pthread_create(&two, 0, outside, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return x != 2;
}
