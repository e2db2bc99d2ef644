// violation: use-after-free
// race: \*early
// models: sc tso pso c11
// A block that was allocated before main is freed while another thread reads it.
#include <pthread.h>
#include <stdlib.h>

static int *early;

__attribute__((constructor)) static void allocate(void)
{
    early = calloc(1, sizeof *early);
}

static void *look(void *arg)
{
    *(volatile int *)early;
    return arg;
}

static void *discard(void *arg)
{
    free(early);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, discard, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
