/*
 * The elements of an array are reached as such, through a pointer and by memset, and more of
 * them race than are watched. Whether an access is seen depends on the element alone: were
 * one of these stores seen and the other not, a thread could lose its own.
 *
 * hunt: table[] benign
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 400, ROUNDS = 2 };
static int *table;

static void store(int *place, int value)
{
    *place = value;
}

static int load(const int *place)
{
    return *place;
}

/* Both threads store the same values, so that a thread reads what it has stored itself. */
static void *fill(void *arg)
{
    for (int round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < SIZE - 8; i += 7) {
            if (arg)
                table[i] = 1;
            else
                store(&table[i], 1);
            assert(load(&table[i]) == 1);
        }
        memset(table + SIZE - 8, 1, 8 * sizeof *table);
        assert(table[SIZE - 4] == 0x01010101);
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    table = calloc(SIZE, sizeof *table);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, fill, i ? table : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(table);
    return 0;
}
