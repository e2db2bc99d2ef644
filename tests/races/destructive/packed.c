// race: packed.wide
/* A packed field across two words, and the byte it ends in. */
#include "../race.h"

struct __attribute__((packed)) {
    char pad[6];
    int wide;
    char last;
} packed;

static void *a(void *unused)
{
    packed.wide = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    ((char *)&packed)[9] = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
