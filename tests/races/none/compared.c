// no race
/* memcmp, strcmp and strncmp that are only compared with 0: clang calls bcmp. */
#include "../race.h"
#include <string.h>

char compared[8], copied[8], counted[8];
static int equal;

static void *a(void *unused)
{
    equal = memcmp(compared, "1234567", 8) == 0;
    equal += strcmp(copied, "1234567") == 0;
    equal += strncmp(counted, "1234567", 6) == 0;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    counted[7] = 'x'; /* behind what was compared */
    return unused;
}

int main(void)
{
    memcpy(compared, "1234567", 8);
    memcpy(copied, "1234567", 8);
    memcpy(counted, "1234567", 8);
    run(a, b);
    return equal != 3;
}
