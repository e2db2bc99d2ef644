// threads.h: plain, recursive and timed mutexes.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static int total;

static int work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        assert(mtx_lock(&plain) == thrd_success);
        total++;
        assert(mtx_unlock(&plain) == thrd_success);
    }
    return 0;
}

static int try_held(void *arg)
{
    (void)arg;
    struct timespec when;
    timespec_get(&when, TIME_UTC);
    when.tv_nsec /= 2;
    assert(mtx_trylock(&plain) == thrd_busy && mtx_trylock(&recursive) == thrd_busy);
    assert(mtx_timedlock(&timed, &when) == thrd_timedout);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_init(&recursive, mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    thrd_create(&a, work, NULL);
    thrd_create(&b, work, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(total == 6);
    assert(mtx_lock(&plain) == thrd_success && mtx_lock(&timed) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
    thrd_create(&a, try_held, NULL);
    thrd_join(a, NULL);
    assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
    assert(mtx_unlock(&plain) == thrd_success && mtx_unlock(&timed) == thrd_success);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    return 0;
}
