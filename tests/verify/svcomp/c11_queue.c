// executions: 8
// threads.h: a queue of one place, two items, mutex and two conditions; and tss.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t full, empty;
static int place;
static tss_t key;

static int produce(void *arg)
{
    int sum = 0;
    tss_set(key, &sum);
    for (int i = 1; i <= 2; i++) {
        mtx_lock(&lock);
        while (place)
            cnd_wait(&empty, &lock);
        place = i;
        *(int *)tss_get(key) += i;
        cnd_signal(&full);
        mtx_unlock(&lock);
    }
    (void)arg;
    return sum;
}

int main(void)
{
    thrd_t producer;
    int got = 0, sent = 0;
    mtx_init(&lock, mtx_plain);
    cnd_init(&full);
    cnd_init(&empty);
    tss_create(&key, NULL);
    thrd_create(&producer, produce, NULL);
    for (int i = 0; i < 2; i++) {
        mtx_lock(&lock);
        while (!place)
            cnd_wait(&full, &lock);
        got += place;
        place = 0;
        cnd_signal(&empty);
        mtx_unlock(&lock);
    }
    thrd_join(producer, &sent);
    assert(got == 3 && sent == 3);
    return 0;
}
