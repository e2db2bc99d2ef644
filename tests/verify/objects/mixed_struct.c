// models: sc tso pso c11
// executions: 6
// A struct is cleared, copied and filled in as a whole under a lock, and by its fields.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct point {
    short x, y;
    int z;
    long w;
};
static struct point shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused)
{
    pthread_mutex_lock(&m);
    shared.x = 1;
    shared.y = 2;
    shared.z = 3;
    shared.w = 6;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *clear(void *unused)
{
    pthread_mutex_lock(&m);
    memset(&shared, 0, sizeof shared);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *copy(void *unused)
{
    pthread_mutex_lock(&m);
    struct point own = shared;
    pthread_mutex_unlock(&m);
    assert(own.x + own.y + own.z == own.w);
    return unused;
}

int main(void)
{
    static void *(*const jobs[])(void *) = {fill, clear, copy};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, jobs[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
