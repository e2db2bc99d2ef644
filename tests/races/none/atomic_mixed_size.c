// no race
/* An acquire load of eight bytes, one of which a release store wrote. */
#include "../race.h"
#include <stdatomic.h>

int data;
union {
    _Atomic(unsigned char) parts[8];
    atomic_long all;
} flag;

static void *a(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag.parts[0], 1, memory_order_release);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(atomic_load_explicit(&flag.all, memory_order_acquire));
    USE(data);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
