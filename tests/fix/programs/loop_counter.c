/*
 * A loop without braces adds.
 *
 * fix: atomic_fetch_add_explicit(&sum, i, memory_order_relaxed)
 * hides
 */
#include "pair.h"

static int sum;

static void *add(void *arg)
{
    for (int i = 1; i < 3; i++)
        sum += i;
    return arg;
}

int main(void)
{
    run_pair(add, add);
    assert(sum == 6);
    return 0;
}
