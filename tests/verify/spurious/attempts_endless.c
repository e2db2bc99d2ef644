// says: not complete: a weak compare-exchange
// models: sc c11 hb
// Any number of failures is another execution: so many in a row are explored.
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

int main(void)
{
    int old = 0, tries = 0;
    while (!atomic_compare_exchange_weak(&x, &old, 1))
        tries++;
    printf("%d\n", tries);
    return 0;
}
