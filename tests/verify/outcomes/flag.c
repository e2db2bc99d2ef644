// hb: 0 1
// past: 0 1
// A plain flag orders nothing.
#include <pthread.h>
#include <stdio.h>

static int data, flag;

static void *produce(void *unused)
{
    data = 1;
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, produce, NULL);
    while (!flag)
        ;
    printf("%d\n", data);
    pthread_join(one, NULL);
    return 0;
}
