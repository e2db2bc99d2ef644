// race: x
/* A C11 mutex on one side only. */
#include "../race.h"
#include <threads.h>

int x;
static mtx_t lock;

static void *a(void *unused)
{
    mtx_lock(&lock);
    x = 1;
    mtx_unlock(&lock);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    x = 2;
    return unused;
}

int main(void)
{
    mtx_init(&lock, mtx_plain);
    run(a, b);
    return 0;
}
