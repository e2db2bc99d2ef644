// race: from[]
/* memcpy from memory that another thread writes. */
#include "../race.h"
#include <string.h>

char from[64], to[64];

static void *a(void *unused)
{
    from[40] = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    memcpy(to, from, sizeof to);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
