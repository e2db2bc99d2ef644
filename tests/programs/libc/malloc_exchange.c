// Blocks that one thread allocates and another frees; what they hold is never mixed up.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 12, THREADS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *slots[BLOCKS];

static size_t size_of(int slot)
{
    return (size_t)1 << slot;
}

static void *work(void *arg)
{
    unsigned char mark = (unsigned char)(long)arg;
    for (int slot = 0; slot < BLOCKS; slot++) {
        unsigned char *mine = malloc(size_of(slot));
        memset(mine, mark, size_of(slot));
        pthread_mutex_lock(&lock);
        unsigned char *other = slots[slot];
        slots[slot] = mine;
        pthread_mutex_unlock(&lock);
        if (!other)
            continue;
        for (size_t i = 1; i < size_of(slot); i++)
            assert(other[i] == other[0] && other[0] != mark);
        free(other);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int slot = 0; slot < BLOCKS; slot++)
        free(slots[slot]);
    return 0;
}
