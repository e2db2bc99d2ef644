/*
 * Lazy hash, broken: the twin of lazy_hash.c that reads `hash` twice.
 *
 * Interleaving alone cannot break it: once `hash` is set it stays set. But the language lets
 * the second read see an older value than the first (a compiler may swap or repeat plain
 * loads), and then get_hash returns 0. No test on any machine is likely to show this.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char text[] = "stalemate";
static int hash;

static int get_hash(void)
{
    if (hash == 0) {
        int h = 0;
        for (size_t i = 0; i < strlen(text); i++)
            h = 31 * h + text[i];
        hash = h;
    }
    return hash;
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
