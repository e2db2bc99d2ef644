#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define N 8
static int ring[N];
static int head, tail;
static void *producer(void *p)
{
    for (int i = 1; i <= 6; i++) {
        ring[head % N] = i;
        head++;
    }
    return p;
}
static void *consumer(void *p)
{
    for (int i = 1; i <= 6; i++) {
        while (tail == head)
            ;
        if (ring[tail % N] != i)
            abort();
        tail++;
    }
    return p;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, producer, 0);
    pthread_create(&t[1], 0, consumer, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
