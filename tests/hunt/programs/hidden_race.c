/*
 * Two flags keep both threads from counting at once, while nobody lies: then `count` has no
 * race at all. A stale flag lets both in, and the race that follows is found by the lie. Lies
 * about `count` alone do nothing: both threads never get to it.
 *
 * options: --no-exact --no-prescient
 * hunt: count undecided
 */
#include <pthread.h>
#include <stdio.h>

static int mine, yours, count;

static void *first(void *arg)
{
    mine = 1;
    if (!yours)
        count++;
    return arg;
}

static void *second(void *arg)
{
    yours = 1;
    if (!mine)
        count++;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
