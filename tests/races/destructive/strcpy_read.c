// race: text[]
/* strcpy over a string that another thread reads. */
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
    USE(text[2]);
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
