// hb: 1 2 3
// past: 1 2 3
// Bits of one word, set by two threads.
#include <pthread.h>
#include <stdio.h>

static unsigned flags;

static void *first(void *unused)
{
    flags |= 1;
    return unused;
}

static void *second(void *unused)
{
    flags |= 2;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%u\n", flags);
    return 0;
}
