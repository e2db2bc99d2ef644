// A thread's heap addresses depend on its own calls alone, whatever the others do.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS = 20 };

/* A hash of the distances between its blocks. */
static void *work(void *arg)
{
    (void)arg;
    uintptr_t first = 0, hash = 1;
    for (int i = 0; i < ROUNDS; i++) {
        void *p = malloc(48);
        if (!first)
            first = (uintptr_t)p;
        hash = hash * 31 + ((uintptr_t)p - first);
        free(p);
    }
    return (void *)hash;
}

int main(void)
{
    pthread_t threads[3];
    void *seen[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], &seen[i]);
    assert(seen[0] == seen[1] && seen[1] == seen[2]);
    return 0;
}
