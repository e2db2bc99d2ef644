// native: no
// Sleepers wake in the order of their times, an hour or a second, at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static atomic_int woken;

static void *work(void *arg)
{
    long rank = (long)arg;
    sleep((unsigned)(3 - rank) * 3600);
    int before = atomic_fetch_add(&woken, 1);
    assert(before == 2 - rank);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    time_t start = time(NULL);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(time(NULL) - start >= 3 * 3600);
    thrd_sleep(&(struct timespec){.tv_sec = 86400}, NULL);
    assert(time(NULL) - start >= 3 * 3600 + 86400);
    return 0;
}
