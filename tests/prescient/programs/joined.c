/*
 * The twin of exit_waits.c: the value is stored by whoever joined the reader, and so happens
 * after the read. It is never validated.
 *
 * options: --trials 40 --prescient
 * hunt: nothing
 */
#include <assert.h>
#include <pthread.h>

static int x, early;

static void *look(void *arg)
{
    early = x;
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    x = 1;
    assert(early == 0);
    return 0;
}
