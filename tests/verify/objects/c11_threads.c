// executions: 2
// The same things by the names of threads.h.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t cond;
static once_flag once = ONCE_FLAG_INIT;
static int ready;

static void prepare(void)
{
    mtx_init(&mutex, mtx_plain);
    cnd_init(&cond);
}

static int produce(void *unused)
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
    call_once(&once, prepare);
    thrd_create(&one, produce, NULL);
    mtx_lock(&mutex);
    while (!ready)
        cnd_wait(&cond, &mutex);
    mtx_unlock(&mutex);
    thrd_join(one, NULL);
    assert(ready);
    return 0;
}
