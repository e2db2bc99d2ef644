// race: text[]
/* strlen of a string that another thread changes. */
#include "../race.h"
#include <string.h>

char text[32] = "some text";

static void *a(void *unused)
{
    size_t n = strlen(text);
    USE(n);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    text[3] = 32;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
