/*
 * A table of strings is published by a plain flag. The first row is shared, and strcpy() stores it;
 * the second is memory of its thread alone, whose stores wait behind those that are lied about.
 *
 * hunt: count destructive pso
 * hunt: table[][] destructive pso
 * hunt: built destructive hb
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int built, count;
static char table[2][4];

static void *look_up(void *name)
{
    if (!built) {
        count = 1;
        strcpy(table[0], name);
        strcpy(table[1], "GBP");
        built = 1;
    }
    assert(count == 1 && strcmp(table[0], name) == 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char name[] = "EUR";
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look_up, name);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
