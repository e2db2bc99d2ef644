/*
 * Peterson's algorithm (JPR, figure 17) with plain variables: right under sc alone. With -DSAFE
 * they are seq_cst atomics.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SAFE
#define SHARED _Atomic
#else
#define SHARED
#endif

static SHARED int flag[2], turn;
static int x;

static void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    flag[me] = 1;
    turn = other;
    while (flag[other] && turn == other)
        ;
    x++;
    flag[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    static int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(x == 2);
    return 0;
}
