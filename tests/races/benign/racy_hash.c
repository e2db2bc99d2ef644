// race: Text.hash
/* A hash that each thread computes if it is not there. */
#include "../race.h"

struct Text {
    int length, hash;
} text = {5, 0}, *volatile shared = &text;

__attribute__((noinline)) static int hash_of(struct Text *t)
{
    if (!t->hash)
        t->hash = t->length * 31;
    return t->hash;
}

static void *a(void *unused)
{
    USE(hash_of(shared));
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(hash_of(shared));
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
