// right: 1 none
// wrong: 0 1 none
// An object with a mutex of its own, made while threads run; wrong: published without one.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    int data;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct object *shared;

static void *publish(void *unused)
{
    struct object *object = calloc(1, sizeof *object);
    pthread_mutex_init(&object->mutex, NULL);
    object->data = 1;
#ifndef WRONG
    pthread_mutex_lock(&mutex);
#endif
    shared = object;
#ifndef WRONG
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

static struct object *get(void)
{
#ifndef WRONG
    pthread_mutex_lock(&mutex);
#endif
    struct object *object = shared;
#ifndef WRONG
    pthread_mutex_unlock(&mutex);
#endif
    return object;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, publish, NULL);
    struct object *object = get();
    if (object) {
        pthread_mutex_lock(&object->mutex);
        printf("%d\n", object->data);
        pthread_mutex_unlock(&object->mutex);
    } else {
        puts("none");
    }
    pthread_join(one, NULL);
    pthread_mutex_destroy(&shared->mutex);
    free(shared);
    return 0;
}
