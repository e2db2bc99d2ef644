/* Store buffering that shows in the output, which has escape sequences: a terminal must not see
   them. */
#include <pthread.h>
#include <stdio.h>

static int x, y, first, second;

static void *one(void *arg)
{
    x = 1;
    first = y;
    return arg;
}

static void *other(void *arg)
{
    y = 1;
    second = x;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("\033[31m%d\033[0m\n", first || second);
    return 0;
}
