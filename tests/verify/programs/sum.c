/* A loop that reads the same thing again and again, but does not wait: each turn counts. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int sum;

static void *reader(void *unused)
{
    int seen = 0;
    for (int i = 0; i < 3; i++)
        seen = seen * 10 + atomic_load(&x);
    sum = seen;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_join(thread, NULL);
    printf("%d\n", sum);
    return 0;
}
