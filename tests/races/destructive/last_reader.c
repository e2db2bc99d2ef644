// race: x
/* Of two readers one is joined, the other is not, when main writes. */
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
    x = 1;
    pthread_join(one, NULL);
    return 0;
}
