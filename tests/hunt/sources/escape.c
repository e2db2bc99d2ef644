/* A failure whose text has an escape sequence: a terminal must not see it. */
#include <pthread.h>
#include <stdio.h>

static int turns;

static void *turn(void *arg)
{
    turns++;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, turn, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("\033[31m%d\033[0m turns\n", turns);
    return turns == 2 ? 0 : 3;
}
