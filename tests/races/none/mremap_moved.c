// no race
/* Pages that another thread has moved away, and memory that is mapped in their place. */
#define _GNU_SOURCE
#include "../race.h"
#include <stdatomic.h>
#include <sys/mman.h>

enum { SIZE = 1 << 16 };
static char *_Atomic old, *_Atomic now;

static char *map(char *at, size_t size, int flags)
{
    char *p = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

static __attribute__((noinline)) void put(char *p)
{
    p[5] = 1;
}

static void *a(void *unused)
{
    char *from = map(NULL, SIZE, 0), *to = map(NULL, SIZE, 0);
    put(from);
    if (mremap(from, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
        abort();
    put(to);
    atomic_store_explicit(&old, from, memory_order_relaxed);
    atomic_store_explicit(&now, to, memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    put(map(atomic_load_explicit(&old, memory_order_relaxed), SIZE, MAP_FIXED));
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
