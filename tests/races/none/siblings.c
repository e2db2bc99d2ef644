// no race
/* Two threads, the second created when the first was joined. */
#include "../race.h"

int x;

static void *a(void *unused)
{
    x = 1;
    return unused;
}

static void *b(void *unused)
{
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, a, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, b, NULL);
    pthread_join(thread, NULL);
    return 0;
}
