// no race
/* The address is chosen when the program runs, and the two threads choose different fields. */
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
    *(unused ? &hits.wrong : &hits.right) = 2;
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
