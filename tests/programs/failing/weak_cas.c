// expect: sometimes assert
// A weak compare-exchange may fail although the value is what it expects: it needs a loop.
#include <assert.h>
#include <stdatomic.h>

static atomic_int owner;

int main(void)
{
    for (int i = 0; i < 40; i++) {
        int expected = i;
        _Bool taken = atomic_compare_exchange_weak(&owner, &expected, i + 1);
        assert(taken && expected == i);
    }
    return 0;
}
