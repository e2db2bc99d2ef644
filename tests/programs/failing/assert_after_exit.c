// expect: assert
// An assertion that fails in a handler of exit.
#include <assert.h>
#include <stdlib.h>

static void check(void)
{
    volatile int one = 1;
    assert(one == 2);
}

int main(void)
{
    atexit(check);
    return 0;
}
