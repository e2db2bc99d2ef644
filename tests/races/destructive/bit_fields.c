// race: f.{one,two}
/* Bit-fields that share a unit are one memory location. */
#include "../race.h"

struct {
    unsigned one : 3, two : 5;
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
