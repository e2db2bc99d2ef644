// hb: 00 01 10 11 busy
// past: 00 01 10 11 busy
// A version before and behind does not help if all is plain.
#include <pthread.h>
#include <stdio.h>

static int version, a, b;

static void *update(void *unused)
{
    version = 1;
    a = 1;
    b = 1;
    version = 2;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, update, NULL);
    int before = version, first = a, second = b;
    if (before % 2 || version != before)
        puts("busy");
    else
        printf("%d%d\n", first, second);
    pthread_join(one, NULL);
    return 0;
}
