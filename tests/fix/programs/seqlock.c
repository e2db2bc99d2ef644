/*
 * A sequence lock without atomics: the sequence and the payload are atomic, stored with release and
 * loaded with acquire.
 *
 * fix: static _Atomic int sequence
 * fix: memory_order_release
 * fix: memory_order_acquire
 * not: pthread_mutex_lock
 * hides
 */
#include "pair.h"

static int sequence, left, right;

static void *writer(void *arg)
{
    sequence = 1;
    left = 5;
    right = 5;
    sequence = 2;
    return arg;
}

static void *reader(void *arg)
{
    int before = sequence;
    int l = left, r = right;
    if (before % 2 == 0 && before == sequence)
        assert(l == r);
    return arg;
}

int main(void)
{
    run_pair(writer, reader);
    return 0;
}
