/* Memory that was freed: the owner does not wait for the thread that still looks at it. */
#include "turn.h"

struct job {
    int id, state;
};

static void *watch(void *argument)
{
    const struct job *job = argument;
    after();
    return job->state ? argument : NULL;
}

int main(void)
{
    pthread_t watcher;
    struct job *job = calloc(1, sizeof *job);
    pthread_create(&watcher, NULL, watch, job);
    free(job);
    done();
    pthread_join(watcher, NULL);
    return 0;
}
