// hb: 00 01 10 11
// past: 00 01 10 11
// Two reads of one variable need not agree, in either order.
#include <pthread.h>
#include <stdio.h>

static int x;

static void *work(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    int a = x, b = x;
    printf("%d%d\n", a, b);
    pthread_join(one, NULL);
    return 0;
}
