/*
 * The last one to let go frees the object.
 *
 * fix: atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel)
 * hides
 */
#include <pthread.h>
#include <stdlib.h>

struct object {
    int refs;
    int value;
};

static void put(struct object *o)
{
    o->value++;
    if (--o->refs == 0)
        free(o);
}

static void *user(void *arg)
{
    struct object *o = arg;
    if (--o->refs == 0)
        free(o);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof(*o));
    pthread_t thread;
    o->refs = 2;
    o->value = 0;
    pthread_create(&thread, NULL, user, o);
    put(o);
    pthread_join(thread, NULL);
    return 0;
}
