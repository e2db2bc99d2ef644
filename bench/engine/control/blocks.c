/* malloc and free: each of two threads keeps 64 blocks and replaces one of them N times; what it
   writes is two words of each. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEPT = 64 };
static int rounds;

static void *work(void *seed)
{
    unsigned *blocks[KEPT] = {0}, state = (unsigned)(uintptr_t)seed, sum = 0;
    for (int i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
        unsigned **block = &blocks[state >> 26], size = 8 + (state >> 16) % 120;
        sum += *block ? (*block)[1] : 0;
        free(*block);
        *block = malloc(size);
        (*block)[0] = size;
        (*block)[1] = state;
    }
    for (int i = 0; i < KEPT; i++)
        free(blocks[i]);
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    pthread_t other;
    void *sum;
    rounds = argc > 1 ? atoi(argv[1]) : 1000;
    pthread_create(&other, NULL, work, (void *)1);
    uintptr_t mine = (uintptr_t)work((void *)2);
    pthread_join(other, &sum);
    printf("%u\n", (unsigned)(mine + (uintptr_t)sum));
}
