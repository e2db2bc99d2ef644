// violation: __VERIFIER_error
// The twin of qrcu.c whose updater does not wait for the counter.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
_Bool __VERIFIER_nondet_bool(void);

static int idx, ctr1 = 1, ctr2, progress;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void __VERIFIER_atomic_use(int *ctr, int which)
{
    __VERIFIER_assume(idx == which && *ctr > 0);
    ++*ctr;
}

static void __VERIFIER_atomic_done(int *ctr)
{
    __VERIFIER_assume(*ctr > 0);
    --*ctr;
}

static int __VERIFIER_atomic_snapshot(void)
{
    return progress;
}

static void __VERIFIER_atomic_check(int seen)
{
    if (seen == 1 && progress == 1)
        __VERIFIER_error();
}

static void __VERIFIER_atomic_progress(int to)
{
    progress = to;
}

static int __VERIFIER_atomic_sum(void)
{
    return ctr1 + ctr2;
}

static void __VERIFIER_atomic_swap(void)
{
    if (idx) {
        ctr1++;
        idx = 0;
        ctr2--;
    } else {
        ctr2++;
        idx = 1;
        ctr1--;
    }
}

static void *reader(void *arg)
{
    int second = __VERIFIER_nondet_bool();
    int *ctr = second ? &ctr2 : &ctr1;
    __VERIFIER_atomic_use(ctr, second);
    __VERIFIER_atomic_progress(1);
    __VERIFIER_atomic_progress(2);
    __VERIFIER_atomic_done(ctr);
    return arg;
}

static void *updater(void *arg)
{
    int seen = __VERIFIER_atomic_snapshot();
    if (__VERIFIER_atomic_sum() > 1) {
        pthread_mutex_lock(&mutex);
        __VERIFIER_atomic_swap();
        pthread_mutex_unlock(&mutex);
    }
    __VERIFIER_atomic_check(seen);
    return arg;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, reader, 0);
    pthread_create(&t2, 0, updater, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
