// hb: 00
// past: 00
// No value comes out of thin air.
#include <pthread.h>
#include <stdio.h>

static int x, y, a, b;

static void *first(void *unused)
{
    a = x;
    y = a;
    return unused;
}

static void *second(void *unused)
{
    b = y;
    x = b;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d%d\n", a, b);
    return 0;
}
