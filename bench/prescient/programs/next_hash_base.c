/*
 * lusearch9, ThreadLocal.nextHashBase: a method that is synchronised on the object, and counts
 * in a static field: each object has its own lock. Two objects can get the same hash, and share
 * a bucket from then on.
 */
#include <pthread.h>
#include <stdio.h>

static int next_hash_base;

typedef struct {
    pthread_mutex_t lock;
    int hash;
} ThreadLocal;
static ThreadLocal locals[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *construct(void *arg)
{
    ThreadLocal *local = arg;

    pthread_mutex_lock(&local->lock);
    local->hash = next_hash_base;
    next_hash_base = local->hash + 1;
    pthread_mutex_unlock(&local->lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, construct, &locals[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (locals[0].hash == locals[1].hash)
        puts("collision");
    return locals[0].hash == locals[1].hash;
}
