// expect: exit 5
// quick_exit runs its own handlers only.
#include <stdlib.h>
#include <unistd.h>

static int ran;

static void never(void)
{
    _exit(9);
}

static void second(void)
{
    if (ran != 1)
        _exit(8);
}

static void first(void)
{
    ran++;
}

int main(void)
{
    atexit(never);
    at_quick_exit(second);
    at_quick_exit(first);
    quick_exit(5);
}
