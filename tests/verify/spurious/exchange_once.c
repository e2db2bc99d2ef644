// executions: 1
// The twin of exchange_once_false.c with a strong one.
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    int expected = 0;
    assert(atomic_compare_exchange_strong(&x, &expected, 1));
    return 0;
}
