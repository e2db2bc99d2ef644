// race: x
/* What is written after the message is not ordered by it. */
#include "../race.h"

static int ends[2];
int x;

static void *a(void *unused)
{
    void *result = write(ends[1], "", 1) == 1 ? unused : NULL;
    x = 1;
    done(0);
    return result;
}

static void *b(void *unused)
{
    char byte;
    if (read(ends[0], &byte, 1) == 1) {
        after(0);
        x = 2;
    }
    return unused;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    run(a, b);
    return 0;
}
