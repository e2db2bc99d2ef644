// no race
/* Text that libc reads and writes for one thread, and that another changes, each another's part. */
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
    line[9] = 'x';
    shown[9] = 'x';
    number[9] = 'x';
    USE(message[100]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
