// race: ?
/* Memory that holds a lock is freed, and written, while another thread may use the lock. */
#include "../race.h"

static struct guarded {
    pthread_mutex_t mutex;
    int value;
} *freed;

static void *uses(void *unused)
{
    pthread_mutex_lock(&freed->mutex);
    pthread_mutex_unlock(&freed->mutex);
    done(0);
    return unused;
}

static void *frees(void *unused)
{
    after(0);
    free(freed);
    return unused;
}

int main(void)
{
    freed = malloc(sizeof *freed);
    pthread_mutex_init(&freed->mutex, NULL);
    run(uses, frees);
    return 0;
}
