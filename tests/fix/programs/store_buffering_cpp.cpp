/*
 * The same in C++.
 *
 * fix: x.store(1, std::memory_order_seq_cst)
 * fix: y.load(std::memory_order_seq_cst)
 * hides
 */
#include "pair.h"

static int x;
static int y;
static int saw_x;
static int saw_y;

static void *first(void *arg)
{
    x = 1;
    saw_y = y;
    return arg;
}

static void *second(void *arg)
{
    y = 1;
    saw_x = x;
    return arg;
}

int main()
{
    run_pair(first, second);
    assert(saw_x || saw_y);
    return 0;
}
