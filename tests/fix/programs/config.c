/*
 * A configuration that is replaced as a whole while others read two of its fields.
 *
 * fix: memory_order_release
 * fix: memory_order_acquire
 * hides
 */
#include "pair.h"
#include <stdlib.h>

struct config {
    int low, high;
};

static struct config first = {1, 2};
static struct config *current = &first;

static void *reload(void *arg)
{
    struct config *fresh = malloc(sizeof *fresh);
    fresh->low = 10;
    fresh->high = 20;
    current = fresh;
    return arg;
}

static void *worker(void *arg)
{
    struct config *mine = current;
    assert(mine->low < mine->high && mine->high > 1);
    return arg;
}

int main(void)
{
    run_pair(reload, worker);
    return 0;
}
