/* After pjbb2000: terminals that make transactions, and look at the company's mode at each. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAMP_UP, RECORDING, STOP, TERMINALS = 2, ITEMS = 1 << 10 };
static int mode;
static int elapsed_time;
static long rounds;

struct terminal {
    uint64_t stock[ITEMS], recorded, sum;
};

static uint64_t transact(struct terminal *terminal, uint64_t order)
{
    uint64_t sum = 0;
    for (int line = 0; line < 200; line++) {
        order = order * 6364136223846793005u + 1442695040888963407u;
        sum += terminal->stock[order >> 54]++;
    }
    return sum;
}

static void *run(void *arg)
{
    struct terminal *terminal = arg;
    for (long i = 0; i < rounds; i++) {
        terminal->sum += transact(terminal, (uint64_t)i);
        if (mode == RECORDING)
            terminal->recorded++;
        if (i == rounds / 3)
            mode = RECORDING;
        if (i == 2 * rounds / 3) {
            mode = STOP;
            elapsed_time = (int)i;
        }
    }
    terminal->sum += (uint64_t)elapsed_time;
    return NULL;
}

int main(int argc, char **argv)
{
    static struct terminal terminals[TERMINALS];
    pthread_t threads[TERMINALS];
    rounds = argc > 1 ? atol(argv[1]) : 100;
    for (int i = 0; i < TERMINALS; i++)
        pthread_create(&threads[i], NULL, run, &terminals[i]);
    for (int i = 0; i < TERMINALS; i++)
        pthread_join(threads[i], NULL);
    return terminals[0].sum == 1;
}
