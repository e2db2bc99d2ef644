/*
 * Two threads write a variable that nobody reads afterwards.
 *
 * options: --no-exact
 * hunt: last undecided
 */
#include <pthread.h>
#include <stdio.h>

static int last;

static void *work(void *arg)
{
    last = (int)(long)arg;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("worked");
    return 0;
}
