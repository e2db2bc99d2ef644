// violation: assertion
// models: sc tso pso c11
// The same, but a failed attempt is remembered.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    bool failed = false;
    while (!failed && pthread_mutex_trylock(&mutex) != 0)
        failed = true;
    assert(!failed);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
