// hb: 1
// past: 1
// A volatile one orders, as Java has it.
// options: --volatile seq_cst
#include <pthread.h>
#include <stdio.h>

static int data;
static volatile int flag;

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
