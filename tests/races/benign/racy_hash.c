// race: text.hash
/* A hash that each thread computes if it is not there. */
#include "../race.h"

struct Text {
    int length, hash;
} text = {5, 0};

static int hash_of(struct Text *t)
{
    if (!t->hash)
        t->hash = t->length * 31;
    return t->hash;
}

static void *a(void *unused)
{
    USE(hash_of(&text));
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(hash_of(&text));
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
