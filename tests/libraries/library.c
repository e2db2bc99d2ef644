/* Loaded by host.c. TWIN: without the race. */
#ifdef TWIN
#include <stdatomic.h>
static struct {
    atomic_int first, second;
} shared_pair;
#else
static struct {
    int first, second;
} shared_pair;
#endif

void bump(void)
{
    shared_pair.second++;
}

__attribute__((constructor)) static void construct(void)
{
    shared_pair.first = 1;
}

__attribute__((destructor)) static void destruct(void)
{
    shared_pair.first = 2;
}
