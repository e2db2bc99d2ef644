// no race
/* memcmp stops at the first difference. */
#include "../race.h"
#include <string.h>

char left[16] = {1}, right[16];

static void *a(void *unused)
{
    int order = memcmp(left, right, 16);
    USE(order);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    left[9] = 1;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
