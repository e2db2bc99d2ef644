/* One thread that goes on alone: alone N walks N times over an array of 1,000 words in a block of
   the heap, 3 events a word. */
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1000 };

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned *words = calloc(WORDS, sizeof *words), sum = 0;
    for (int i = 0; i < rounds; i++)
        for (int at = 1; at < WORDS; at++)
            words[at] += words[at - 1] + (unsigned)i;
    for (int at = 0; at < WORDS; at++)
        sum += words[at];
    free(words);
    printf("%u\n", sum);
}
