/* After avrora: nodes that send and receive, and ask which transmissions are in the air. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 2, IN_THE_AIR = 8, CYCLES = 4000 };
typedef struct {
    long first_bit, last_bit;
} Transmission;
static Transmission transmissions[NODES][IN_THE_AIR];
static pthread_mutex_t medium = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static unsigned simulate(unsigned state)
{
    for (int i = 0; i < CYCLES; i++)
        state = (state >> 1) ^ (-(state & 1) & 0xedb88320u);
    return state;
}

static int intersecting(const Transmission *of, long bit)
{
    int n = 0;
    pthread_mutex_lock(&medium);
    for (int i = 0; i < IN_THE_AIR; i++)
        n += bit >= of[i].first_bit && bit < of[i].last_bit;
    pthread_mutex_unlock(&medium);
    return n;
}

static void *node(void *arg)
{
    int me = *(int *)arg;
    unsigned state = (unsigned)me + 1;
    long heard = 0;
    for (long i = 0; i < rounds; i++) {
        Transmission *mine = &transmissions[me][i % IN_THE_AIR];
        mine->last_bit = LONG_MAX;
        mine->first_bit = i;
        state = simulate(state);
        if (i % 4 == 0)
            heard += intersecting(transmissions[1 - me], i);
        mine->last_bit = i + state % 7;
    }
    *(int *)arg = (int)(heard + state);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[NODES];
    int numbers[NODES];
    rounds = argc > 1 ? atol(argv[1]) : 100;
    for (int i = 0; i < NODES; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, node, &numbers[i]);
    }
    for (int i = 0; i < NODES; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
