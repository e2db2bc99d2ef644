/* A sequence lock: the version is odd while a writer is at it. BROKEN: a reader does not look at
   the version again. */
#include "pair.h"

void pair_init(struct pair *pair)
{
    atomic_init(&pair->version, 0);
    atomic_init(&pair->low, 0);
    atomic_init(&pair->high, 0);
}

void pair_write(struct pair *pair, int low, int high)
{
    unsigned version = atomic_load(&pair->version);
    while (version % 2 || !atomic_compare_exchange_strong(&pair->version, &version, version + 1))
        version = atomic_load(&pair->version);
    atomic_store(&pair->low, low);
    atomic_store(&pair->high, high);
    atomic_store(&pair->version, version + 2);
}

struct reading pair_read(struct pair *pair)
{
    struct reading reading;
    unsigned before, after;
    do {
        before = atomic_load(&pair->version);
        reading.low = atomic_load(&pair->low);
        reading.high = atomic_load(&pair->high);
        after = atomic_load(&pair->version);
#ifdef BROKEN
        after = before;
#endif
    } while (before != after || before % 2);
    return reading;
}
