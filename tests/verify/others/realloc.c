// executions: 2
// An array that grows under a lock keeps what was in it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *array;
static size_t n;

static void *append(void *arg)
{
    pthread_mutex_lock(&m);
    array = realloc(array, (n + 1) * sizeof *array);
    array[n++] = *(int *)arg;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2};
    pthread_t one, two;
    pthread_create(&one, NULL, append, &numbers[0]);
    pthread_create(&two, NULL, append, &numbers[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(n == 2 && array[0] + array[1] == 3);
    free(array);
    return 0;
}
