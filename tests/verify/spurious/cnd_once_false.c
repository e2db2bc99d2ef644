// violation: fails the assertion
#include <assert.h>
#include <threads.h>

#ifndef UNTIL
#define UNTIL(condition) if (condition)
#endif
static mtx_t mutex;
static cnd_t cond;
static int ready;

static int tell(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&cond);
    mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t one;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&cond);
    thrd_create(&one, tell, NULL);
    mtx_lock(&mutex);
    UNTIL(!ready)
    cnd_wait(&cond, &mutex);
    assert(ready);
    mtx_unlock(&mutex);
    thrd_join(one, NULL);
    return 0;
}
