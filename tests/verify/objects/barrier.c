// executions: 9
// Three threads, two rounds: nothing is left to chance but who is told to be the serial one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int values[3], serial[2];

static void *work(void *arg)
{
    int i = (int)(intptr_t)arg;
    values[i] = i + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial[0]++;
    assert(values[(i + 1) % 3] == (i + 1) % 3 + 1);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial[1]++;
    values[i] = 0;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(serial[0] == 1 && serial[1] == 1);
    return 0;
}
