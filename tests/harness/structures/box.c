/* EMPTY, then BUSY while somebody is at it, then FULL. BROKEN: relaxed accesses, which do not order
   the message and the state. */
#include "box.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#define RELEASE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#endif

enum { EMPTY, BUSY, FULL };

struct box {
    atomic_int state, message;
};

struct box *box_create(void)
{
    return calloc(1, sizeof(struct box));
}

void box_destroy(struct box *box)
{
    free(box);
}

/* False: it is in the other state. */
static bool claim(struct box *box, int from)
{
    for (;;) {
        int state = from;
        if (atomic_compare_exchange_strong_explicit(&box->state, &state, BUSY, ACQUIRE, ACQUIRE))
            return true;
        if (state != BUSY)
            return false;
    }
}

bool box_leave(struct box *box, int message)
{
    if (!claim(box, EMPTY))
        return false;
    atomic_store_explicit(&box->message, message, memory_order_relaxed);
    atomic_store_explicit(&box->state, FULL, RELEASE);
    return true;
}

bool box_fetch(struct box *box, int *message)
{
    if (!claim(box, FULL))
        return false;
    *message = atomic_load_explicit(&box->message, memory_order_relaxed);
    atomic_store_explicit(&box->state, EMPTY, RELEASE);
    return true;
}
