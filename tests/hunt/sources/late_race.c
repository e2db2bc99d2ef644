/* A race that few executions have: the reader looks at `secret` only if it has seen four phases
   that follow each other. 1 in 300 executions, of which some 100 are made before the
   investigations. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int phase;
static int secret;

static void *author(void *unused)
{
    for (int i = 1; i <= 5; i++)
        atomic_store(&phase, i);
    secret = 1;
    return unused;
}

static void *reader(void *unused)
{
    for (int i = 1; i <= 5; i++)
        if (atomic_load(&phase) != i)
            return unused;
    return secret > 1 ? &secret : unused;
}

int main(void)
{
    pthread_t threads[2];
    void *result;
    pthread_create(&threads[0], NULL, author, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], &result);
    return result != NULL;
}
