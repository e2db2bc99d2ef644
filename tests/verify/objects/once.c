// executions: 3
// Three threads: any of them runs the routine, and the others come behind it.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x, seen[3];

static void set(void)
{
    x++;
}

static void *call(void *arg)
{
    int *mine = arg;
    pthread_once(&once, set);
    *mine = x;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, call, &seen[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
    return 0;
}
