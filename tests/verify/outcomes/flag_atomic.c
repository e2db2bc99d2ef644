// hb: 1
// past: 1
// An atomic one orders.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data;
static atomic_int flag;

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
