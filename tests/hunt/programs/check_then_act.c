/*
 * Two customers, one item: the check and the sale are two steps.
 *
 * hunt: stock destructive sc
 */
#include <assert.h>
#include <pthread.h>

static int stock = 1;

static void *buy(void *arg)
{
    if (stock > 0)
        stock = stock - 1;
    assert(stock >= 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, buy, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
