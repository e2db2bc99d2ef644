// no race
/* A hash that each thread computes for its own. */
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
    struct Text own = {5, 0};
    USE(hash_of(&own));
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
