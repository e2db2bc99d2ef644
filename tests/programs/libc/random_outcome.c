// What chance decides goes into the output, and is the same for the same seed.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

int main(void)
{
    unsigned long value = 0;
    if (getrandom(&value, sizeof value, 0) != sizeof value)
        return 1;
    for (unsigned long i = 0; i < value % 7; i++)
        usleep(1);
    void *block = malloc(value % 1000);
    printf("%lx %p %u\n", value, block, arc4random());
    free(block);
    return 0;
}
