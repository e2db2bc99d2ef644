/*
 * A worker polls a plain flag.
 *
 * hunt: stop benign
 *
 * It stops a little later if it reads the old value once more, and fairness says that it
 * does not read it for ever.
 */
#include <pthread.h>
#include <stdio.h>

static int stop;
static int rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    while (!stop) {
        pthread_mutex_lock(&lock);
        rounds++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t worker;

    pthread_create(&worker, NULL, work, NULL);
    stop = 1;
    pthread_join(worker, NULL);
    puts("stopped");
    return 0;
}
