/*
 * Each of five threads must read between the two stores of another, while all do much else:
 * trials under sc do not meet that, verify has it among 243 executions.
 *
 * options: --model sc
 * hunt: pair.x undecided
 * hunt: failure
 * says: failure: assert under sc
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { PAIRS = 5, TURNS = 20 };
static struct pair {
    int x, seen;
    atomic_int turns[2];
} pairs[PAIRS];

static void spend(atomic_int *turns)
{
    for (int i = 0; i < TURNS; i++)
        atomic_fetch_add(turns, 1);
}

static void *store(void *arg)
{
    struct pair *pair = arg;
    spend(&pair->turns[0]);
    pair->x = 1;
    pair->x = 2;
    return arg;
}

static void *load(void *arg)
{
    struct pair *pair = arg;
    spend(&pair->turns[1]);
    pair->seen = pair->x;
    return arg;
}

int main(void)
{
    pthread_t threads[PAIRS][2];
    int between = 0;
    for (int i = 0; i < PAIRS; i++) {
        pthread_create(&threads[i][0], NULL, store, &pairs[i]);
        pthread_create(&threads[i][1], NULL, load, &pairs[i]);
    }
    for (int i = 0; i < PAIRS; i++) {
        pthread_join(threads[i][0], NULL);
        pthread_join(threads[i][1], NULL);
        between += pairs[i].seen == 1;
    }
    assert(between < PAIRS);
    return 0;
}
