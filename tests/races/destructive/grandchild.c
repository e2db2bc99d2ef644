// race: x
/* A grandchild and its grandparent. */
#include "../race.h"

int x;

static void *grandchild(void *unused)
{
    x = 1;
    done(0);
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
    after(0);
    x = 2;
    pthread_join(thread, NULL);
    return 0;
}
