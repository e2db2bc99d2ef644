/*
 * The loop of a worker, which the start routine only calls, is no unit; what it calls is.
 *
 * expect: set=worker unit=finish pattern=1,2,3,4,5
 */
#include "../program.h"

struct worker {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int work, done;
};

static struct worker worker = {.lock = MONITOR, .wake = PTHREAD_COND_INITIALIZER};

void finish(struct worker *of)
{
    repair_lock(&of->lock);
    pthread_mutex_lock(&of->lock);
    int done = of->done;
    pthread_mutex_unlock(&of->lock);
    pthread_mutex_lock(&of->lock);
    of->done = done + 1;
    pthread_mutex_unlock(&of->lock);
    repair_unlock(&of->lock);
}

static void run(struct worker *of)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&of->lock);
        while (!of->work)
            pthread_cond_wait(&of->wake, &of->lock);
        of->work--;
        pthread_mutex_unlock(&of->lock);
        finish(of);
    }
}

static void *start(void *arg)
{
    run(arg);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, start, &worker);
    pthread_create(&two, NULL, start, &worker);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&worker.lock);
        worker.work++;
        pthread_mutex_unlock(&worker.lock);
        pthread_cond_signal(&worker.wake);
    }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
