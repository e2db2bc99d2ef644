// no race
/* A grandchild that is joined by a child that is joined. */
#include "../race.h"

int x;

static void *grandchild(void *unused)
{
    x = 1;
    return unused;
}

static void *a(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, grandchild, NULL);
    pthread_join(thread, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, a, NULL);
    pthread_join(thread, NULL);
    x = 2;
    return 0;
}
