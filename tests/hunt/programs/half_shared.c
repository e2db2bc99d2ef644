/*
 * Of an array one element is shared; the other one is stored between a racy store and the flag.
 * Where lies are told about `data` alone, nobody sees whether that store waits.
 *
 * hunt: data destructive pso
 * hunt: rows[] destructive pso
 * hunt: ready destructive hb
 */
#include <assert.h>
#include <pthread.h>

static int data, ready, rows[2];

static void fill(int i)
{
    rows[i] = i + 1;
}

static void *put(void *unused)
{
    fill(0);
    data = 1;
    fill(1);
    ready = 1;
    return unused;
}

static void *get(void *unused)
{
    if (ready) {
        assert(data == 1);
        assert(rows[0] == 1);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
