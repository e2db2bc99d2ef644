// threads.h alone: a mutex, a condition, a key, once, and results.
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static mtx_t m;
static cnd_t c;
static tss_t key;
static int ready;

static void make(void)
{
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    tss_create(&key, NULL);
}

static int wait_for_it(void *arg)
{
    call_once(&flag, make);
    tss_set(key, arg);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    return *(int *)tss_get(key);
}

int main(void)
{
    static int five = 5;
    thrd_t t;
    int result;
    call_once(&flag, make);
    thrd_create(&t, wait_for_it, &five);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(t, &result);
    assert(result == 5);
    return 0;
}
