/* Holding one lock from the first access to the last would wait for ever: the message says where.
   With a pipe, so that executions are sampled: verify has none. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int cells[2];
static pthread_barrier_t all;

static void *phases(void *arg)
{
    int own = arg != NULL;
    for (int i = 0; i < 2; i++) {
        cells[own]++;
        pthread_barrier_wait(&all);
        assert(cells[!own] == i + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    int ends[2];
    char byte = 0;
    assert(pipe(ends) == 0 && write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1);
    pthread_barrier_init(&all, NULL, 2);
    pthread_create(&threads[0], NULL, phases, NULL);
    pthread_create(&threads[1], NULL, phases, &all);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
