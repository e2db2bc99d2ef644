/* Two threads take turns for ever, under a lock. With -DWRONG one of them does not lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void *play(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        turn = !turn;
        assert(turn == 0 || turn == 1);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

#ifdef WRONG
static void *cheat(void *arg)
{
    for (;;) {
        int before = turn;
        turn = !turn;
        assert(turn != before);
    }
    return arg;
}
#else
#define cheat play
#endif

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, play, NULL);
    pthread_create(&threads[1], NULL, cheat, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
