// violation: fails the assertion
// A weak compare-exchange without a loop may fail though nothing else happens.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1));
    return 0;
}
