// race: hits
// controlled race: *?
/* The address is chosen when the program runs, and no variable holds it. */
#include "../race.h"

struct {
    int right, wrong;
} hits;

static void *a(void *unused)
{
    *(unused ? &hits.right : &hits.wrong) = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    *(unused ? &hits.right : &hits.wrong) = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
