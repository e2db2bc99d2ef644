// hb: 1 2
// past: 1 2
// A lost update. Both cannot have counted on the other's.
#include <pthread.h>
#include <stdio.h>

static int count;

static void *work(void *unused)
{
    count++;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d\n", count);
    return 0;
}
