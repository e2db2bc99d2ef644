// right: 1
// wrong: 0 1
// cond.c by the names of threads.h.
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t cond;
static int ready, data;

static int produce(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    data = 1;
    ready = 1;
    cnd_broadcast(&cond);
    mtx_unlock(&mutex);
    return 0;
}

static void wait_for_it(void)
{
#ifdef WRONG
    if (ready)
        return;
#endif
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&cond, &mutex);
    mtx_unlock(&mutex);
}

int main(void)
{
    thrd_t one;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&cond);
    thrd_create(&one, produce, NULL);
    wait_for_it();
    printf("%d\n", data);
    thrd_join(one, NULL);
    cnd_destroy(&cond);
    mtx_destroy(&mutex);
    return 0;
}
