// no race
/* Of two readers one is joined and so is the other when main writes. */
#include "../race.h"

long x;

static void *a(void *unused)
{
    USE(x);
    done(0);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, a, NULL);
    pthread_create(&two, NULL, a, NULL);
    after(0);
    after(0);
    pthread_join(two, NULL);
    pthread_join(one, NULL);
    x = 1;
    return 0;
}
