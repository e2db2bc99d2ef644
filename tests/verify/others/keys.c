// executions: 2
// Each thread has its own value of a key, and its destructor runs before the thread is joined.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int freed;

static void destroy(void *value)
{
    pthread_mutex_lock(&m);
    freed += *(int *)value;
    pthread_mutex_unlock(&m);
    free(value);
}

static void *use(void *arg)
{
    int *own = malloc(sizeof *own);
    assert(!pthread_getspecific(key));
    *own = *(int *)arg;
    pthread_setspecific(key, own);
    assert(*(int *)pthread_getspecific(key) == *(int *)arg);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2};
    pthread_t one, two;
    pthread_key_create(&key, destroy);
    pthread_create(&one, NULL, use, &numbers[0]);
    pthread_create(&two, NULL, use, &numbers[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(freed == 3);
    return 0;
}
