/*
 * Lazy hash: a value computed on first use, by any thread that finds it missing.
 *
 * `hash` is read and written without synchronisation, and still nothing can go wrong: it is
 * read once, and every thread that writes it writes the same value. A benign race.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char text[] = "stalemate";
static int hash;

static int get_hash(void)
{
    int h = hash;

    if (h == 0) {
        for (size_t i = 0; i < strlen(text); i++)
            h = 31 * h + text[i];
        hash = h;
    }
    return h;
}

static void *use(void *arg)
{
    assert(get_hash() != 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
