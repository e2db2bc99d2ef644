/*
 * A message in an array on the heap: the declaration is that of the pointer, not of the cells.
 * fix: pthread_mutex_lock(&cells_lock);
 * not: _Atomic
 * hides
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *cells;

static void *publish(void *arg)
{
    cells[0] = 42;
    cells[1] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    cells = calloc(2, sizeof(*cells));
    pthread_create(&thread, NULL, publish, NULL);
    if (cells[1])
        assert(cells[0] == 42);
    pthread_join(thread, NULL);
    free(cells);
    return 0;
}
