/*
 * Double-checked locking (JPR, figure 16): whoever finds the pointer set without taking the
 * lock may find the object not yet filled in. With -DSAFE the pointer is atomic.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct helper {
    int x;
};

#ifdef SAFE
static _Atomic(struct helper *) helper;
#else
static struct helper *helper;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct helper *get_helper(void)
{
    if (!helper) {
        pthread_mutex_lock(&lock);
        if (!helper) {
            struct helper *new = calloc(1, sizeof *new);
            new->x = 10;
            helper = new;
        }
        pthread_mutex_unlock(&lock);
    }
    return helper;
}

static void *use(void *arg)
{
    assert(get_helper()->x != 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
