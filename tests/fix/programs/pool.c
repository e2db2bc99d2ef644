/*
 * A pool of connections with its own mutex; one function forgets it.
 *
 * fix: pthread_mutex_lock(&pool->lock);
 * fix: pthread_mutex_unlock(&pool->lock);
 * not: atomic
 * hides
 */
#include <assert.h>
#include <pthread.h>

struct pool {
    pthread_mutex_t lock;
    int idle;
};

static int pool_take(struct pool *pool)
{
    int taken = 0;
    pthread_mutex_lock(&pool->lock);
    if (pool->idle > 0) {
        pool->idle--;
        taken = 1;
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

static void pool_give(struct pool *pool)
{
    pool->idle++;
}

static void *user(void *arg)
{
    struct pool *pool = arg;
    if (pool_take(pool))
        pool_give(pool);
    return NULL;
}

int main(void)
{
    struct pool pool = {PTHREAD_MUTEX_INITIALIZER, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, &pool);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(pool.idle == 2);
    return 0;
}
