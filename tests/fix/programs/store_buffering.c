/*
 * Two flags of their own.
 *
 * fix: atomic_store_explicit(&x, 1, memory_order_seq_cst)
 * fix: atomic_load_explicit(&y, memory_order_seq_cst)
 * fix: atomic_store_explicit(&y, 1, memory_order_seq_cst)
 * fix: atomic_load_explicit(&x, memory_order_seq_cst)
 * hides
 */
#include "pair.h"

static int x, y;
static int saw_x, saw_y;

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

int main(void)
{
    run_pair(first, second);
    assert(saw_x || saw_y);
    return 0;
}
