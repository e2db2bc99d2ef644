// A thread that has published an object reads through the pointer, and may see the other
// thread's: filled in, not yet filled in, or not even allocated yet (JPR, figure 11).
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct helper {
    int x;
};
static struct helper *shared;

static void publish(int x)
{
    struct helper *new = calloc(1, sizeof *new);
    new->x = x;
    shared = new;
}

static int seen;

static void *first(void *arg)
{
    publish(3);
    seen = shared->x;
    return arg;
}

static void *second(void *arg)
{
    publish(5);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", seen);
#ifdef FAIL
    return seen == 0;
#else
    return 0;
#endif
}
