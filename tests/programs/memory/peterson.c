// Peterson's lock with seq_cst atomics excludes in every model.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int wants[2], turn;
static int shared;

static void *work(void *arg)
{
    int me = (int)(long)arg, other = 1 - me;

    for (int i = 0; i < 4; i++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other)
            continue;
        shared++;
        wants[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 8);
    return 0;
}
