// refused: not in a process of its own
// rand() goes on where the execution before has left it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int drawn;

static void *draw(void *arg)
{
    pthread_mutex_lock(&m);
    if (drawn++ == 0)
        assert(rand() == 1804289383);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, draw, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
