// threads.h: create, join with a result, detach, exit, current, equal, yield, sleep.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int detached_ran;

static int returns(void *arg)
{
    thrd_yield();
    return *(int *)arg;
}

static int exits(void *arg)
{
    thrd_exit(-*(int *)arg);
}

static int detaches(void *arg)
{
    (void)arg;
    assert(thrd_detach(thrd_current()) == thrd_success);
    detached_ran = 1;
    return 0;
}

int main(void)
{
    thrd_t a, b, c;
    int seven = 7, result;
    assert(thrd_create(&a, returns, &seven) == thrd_success);
    assert(thrd_create(&b, exits, &seven) == thrd_success);
    assert(!thrd_equal(a, b) && thrd_equal(thrd_current(), thrd_current()));
    assert(thrd_join(a, &result) == thrd_success && result == 7);
    assert(thrd_join(b, &result) == thrd_success && result == -7);
    assert(thrd_create(&c, detaches, NULL) == thrd_success);
    while (!detached_ran)
        assert(thrd_sleep(&(struct timespec){.tv_nsec = 1000000}, NULL) == 0);
    return 0;
}
