// hb: 0 1
// past: 0 1
// The program ends before its thread, or not.
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
    printf("%d\n", x);
    return 0;
}
