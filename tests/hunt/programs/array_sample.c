/*
 * Of a large array the first elements are lied about, and those at which races were seen.
 * Here two threads meet at one element alone, far from the first.
 *
 * hunt: table[] destructive hb
 */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2000, MEETING = 1234 };
static int table[SIZE];

static void *writer(void *arg)
{
    for (int i = 2; i < MEETING; i++)
        table[i] = i;
    table[MEETING] = 1;
    return arg;
}

static void *reader(void *arg)
{
    int first = table[MEETING], second = table[MEETING];
    assert(second >= first);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
