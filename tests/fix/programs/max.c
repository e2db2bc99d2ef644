/*
 * The largest value seen so far, by check and store.
 *
 * fix: lock
 * hides
 */
#include "pair.h"

static int largest;

static void note(int value)
{
    if (value > largest)
        largest = value;
}

static void *first(void *arg)
{
    note(5);
    return arg;
}

static void *second(void *arg)
{
    note(9);
    return arg;
}

int main(void)
{
    run_pair(first, second);
    assert(largest == 9);
    return 0;
}
