/* Peterson's lock, taken for ever by two threads. With -DWRONG the turn is given away before the
   flag is raised. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void lock(int me, int other)
{
#ifdef WRONG
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    while (wants[other] && turn == other)
        continue;
}

static void *work(void *arg)
{
    int me = *(int *)arg;
    for (;;) {
        lock(me, 1 - me);
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
    return arg;
}

int main(void)
{
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
