// no race
/* Bit-fields parted by one of width zero are two memory locations. */
#include "../race.h"

struct {
    unsigned one : 3;
    unsigned : 0;
    unsigned two : 5;
} f;

static void *a(void *unused)
{
    f.one = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    f.two = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
