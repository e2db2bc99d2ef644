/*
 * The same value is stored twice. Whoever has seen it does not see the older one again: volatile is
 * coherent, and dropping the first store from the history must not forget who has read it.
 *
 * hunt: flag proved-benign
 */
#include <assert.h>
#include <pthread.h>

static volatile int flag;

static void *store(void *arg)
{
    flag = 1;
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    int first = flag, second = flag;
    assert(!(first == 1 && second == 0));
    pthread_join(thread, NULL);
    return 0;
}
