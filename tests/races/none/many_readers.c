// no race
/* Seven threads read, then main writes when it has joined them. */
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
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    x = 1;
    return 0;
}
