// hb: 0 1
// past: 0 1
// The initial thread leaves by pthread_exit; the last one prints.
#include <pthread.h>
#include <stdio.h>

static int x;

static void *work(void *unused)
{
    printf("%d\n", x);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    x = 1;
    pthread_exit(NULL);
}
