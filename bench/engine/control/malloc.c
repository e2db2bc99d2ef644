/* malloc and free alone: malloc N makes N blocks, each freed at once. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    unsigned long used = 0;
    for (int i = 0; i < rounds; i++) {
        char *volatile block = malloc(16 + (unsigned)i % 200);
        used += block != NULL;
        free(block);
    }
    printf("%lu\n", used);
}
