// race: line[], message[], number[], shown[]
/* Text that libc reads and writes for one thread, and that another changes. */
#define _GNU_SOURCE
#include "../race.h"
#include <stdio.h>
#include <string.h>

char line[16] = "a line", shown[16] = "shown", number[16] = "12 x", message[128];

static void *a(void *unused)
{
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        abort();
    fputs(line, nowhere);
    puts(shown);
    if (atoi(number) != 12)
        abort();
    if (*strerror_r(12345, message, sizeof message) == 0)
        abort();
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    line[3] = 'x';
    shown[3] = 'x';
    number[2] = 'x';
    USE(message[2]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
