// race: x
/* Seven threads read, then main writes before it has joined them. */
#include "../race.h"

int x;
#define READERS 7

static void *a(void *unused)
{
    USE(x);
    done(0);
    return unused;
}

int main(void)
{
    pthread_t threads[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, a, NULL);
    for (int i = 0; i < READERS; i++)
        after(0);
    x = 1;
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
