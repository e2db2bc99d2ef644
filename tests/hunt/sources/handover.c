/* A mutex and a condition that are made by hand, and a number that is watched without them: any
   value of it will do. With USED the watcher takes it for more than it is. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int full, value, progress;
};

static void *fill(void *arg)
{
    struct box *box = arg;
    box->progress = 1;
    pthread_mutex_lock(&box->mutex);
    box->value = 42;
    box->full = 1;
    pthread_cond_signal(&box->filled);
    pthread_mutex_unlock(&box->mutex);
    box->progress = 2;
    return NULL;
}

static void watch(const struct box *box)
{
    int progress = box->progress;
    assert(progress >= 0 && progress <= 2);
#ifdef USED
    assert(progress < 2 || box->value == 42);
#endif
}

int main(void)
{
    pthread_t thread;
    struct box *box = calloc(1, sizeof *box);
    pthread_mutex_init(&box->mutex, NULL);
    pthread_cond_init(&box->filled, NULL);
    pthread_create(&thread, NULL, fill, box);
    watch(box);
    pthread_mutex_lock(&box->mutex);
    while (!box->full)
        pthread_cond_wait(&box->filled, &box->mutex);
    assert(box->value == 42);
    pthread_mutex_unlock(&box->mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&box->filled);
    pthread_mutex_destroy(&box->mutex);
    free(box);
    return 0;
}
