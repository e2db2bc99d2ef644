/*
 * The loop of a worker that waits for work and does it without the lock. The start routine does
 * nothing but call it: it is no unit of work.
 */
#include <pthread.h>
#include <stdlib.h>

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int stop, work, done;
};

static void run(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    for (;;) {
        while (!worker->stop && !worker->work)
            pthread_cond_wait(&worker->wake, &worker->lock);
        int stop = worker->stop, n = worker->work;
        worker->work = 0;
        pthread_mutex_unlock(&worker->lock);
        for (int i = 0; i < n; i++)
            worker->done++; /* no other thread's */
        pthread_mutex_lock(&worker->lock);
        if (stop && !worker->work)
            break;
    }
    pthread_mutex_unlock(&worker->lock);
}

static void *start(void *arg)
{
    run(arg);
    return NULL;
}

int main(void)
{
    static struct worker worker = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                   .wake = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    pthread_create(&thread, NULL, start, &worker);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&worker.lock);
        worker.work++;
        pthread_mutex_unlock(&worker.lock);
        pthread_cond_signal(&worker.wake);
    }
    pthread_mutex_lock(&worker.lock);
    worker.stop = 1;
    pthread_mutex_unlock(&worker.lock);
    pthread_cond_signal(&worker.wake);
    pthread_join(thread, NULL);
    return worker.done == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
