// no race
/* One thread reads seven bytes of eight, one by one; another writes the eighth. */
#include "../race.h"

_Alignas(8) char text[8] = "abcdefg";
const char end = 'g';

static void *a(void *unused)
{
    const char *at = text;
    while (*at != end)
        at++;
    USE(at);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    text[7] = 'x';
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
