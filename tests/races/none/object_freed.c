// no race
/* The last user of a lock frees the memory that holds it. */
#include "../race.h"

static struct guarded {
    pthread_mutex_t mutex;
    int users;
} *freed;

static void *uses(void *unused)
{
    pthread_mutex_lock(&freed->mutex);
    int last = --freed->users == 0;
    pthread_mutex_unlock(&freed->mutex);
    if (last)
        free(freed);
    return unused;
}

int main(void)
{
    freed = malloc(sizeof *freed);
    pthread_mutex_init(&freed->mutex, NULL);
    freed->users = 2;
    run(uses, uses);
    return 0;
}
