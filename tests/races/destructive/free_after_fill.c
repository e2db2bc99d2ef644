// race: use-after-free
// controlled race: block[]
/* Each byte of the block was written in the epoch in which it is freed. */
#include "../race.h"
#include <malloc.h>
#include <string.h>

static char *block;

static void *a(void *unused)
{
    char *own = block;
    memset(own, 1, malloc_usable_size(own));
    free(own);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(block[8]);
    return unused;
}

int main(void)
{
    block = malloc(24);
    run(a, b);
    return 0;
}
