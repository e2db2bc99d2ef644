// no race
/* strcpy writes the string and its end, nothing behind. */
#include "../race.h"
#include <string.h>

char text[32] = "old", *volatile source = "some";

static void *a(void *unused)
{
    strcpy(text, source);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(text[9]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
