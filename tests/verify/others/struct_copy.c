// executions: 2
// models: sc tso pso c11
// A struct of three words is copied; other threads may come between the words.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    long a, b, c;
} shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *arg)
{
    long words[] = {1, 1, 1};
    pthread_mutex_lock(&m);
    memcpy(&shared, words, sizeof shared);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *get(void *arg)
{
    long words[3];
    pthread_mutex_lock(&m);
    memcpy(words, &shared, sizeof words);
    pthread_mutex_unlock(&m);
    assert(words[0] == words[1] && words[1] == words[2]);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, put, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
