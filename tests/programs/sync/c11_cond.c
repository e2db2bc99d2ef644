// threads.h: condition variables, timed and not.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t cond;
static int ball; /* whose turn it is */

static int play(void *arg)
{
    int me = *(int *)arg;
    mtx_lock(&mutex);
    for (int i = 0; i < 3; i++) {
        while (ball != me)
            assert(cnd_wait(&cond, &mutex) == thrd_success);
        ball = 1 - me;
        assert(cnd_signal(&cond) == thrd_success);
    }
    mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    int zero = 0, one = 1;
    thrd_t a, b;
    struct timespec when;
    mtx_init(&mutex, mtx_plain);
    assert(cnd_init(&cond) == thrd_success);
    thrd_create(&a, play, &zero);
    thrd_create(&b, play, &one);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    mtx_lock(&mutex);
    timespec_get(&when, TIME_UTC);
    when.tv_sec++;
    int result;
    while ((result = cnd_timedwait(&cond, &mutex, &when)) == thrd_success)
        ;
    assert(result == thrd_timedout);
    assert(cnd_broadcast(&cond) == thrd_success);
    mtx_unlock(&mutex);
    cnd_destroy(&cond);
    return 0;
}
