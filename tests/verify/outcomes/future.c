// hb: 00 01 10 11
// past: 00 01 10
// Each reads what the other writes afterwards.
#include <pthread.h>
#include <stdio.h>

static int x, y, a, b;

static void *first(void *unused)
{
    a = x;
    y = 1;
    return unused;
}

static void *second(void *unused)
{
    b = y;
    x = 1;
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
