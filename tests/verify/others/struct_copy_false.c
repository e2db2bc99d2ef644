// violation: fails the assertion
// race: shared
// The twin of struct_copy.c without the lock.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    long a, b, c;
} shared;

static void *put(void *arg)
{
    long words[] = {1, 1, 1};
    memcpy(&shared, words, sizeof shared);
    return arg;
}

static void *get(void *arg)
{
    long words[3];
    memcpy(words, &shared, sizeof words);
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
