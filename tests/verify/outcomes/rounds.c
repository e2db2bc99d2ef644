// right: 12
// wrong: 12 22
// Two rounds, with a barrier behind each reading, too; wrong: without that.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int data;

static void *work(void *unused)
{
    for (int round = 1; round <= 2; round++) {
        data = round;
        pthread_barrier_wait(&barrier);
#ifndef WRONG
        pthread_barrier_wait(&barrier);
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t one;
    int seen[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_barrier_wait(&barrier);
        seen[i] = data;
#ifndef WRONG
        pthread_barrier_wait(&barrier);
#endif
    }
    printf("%d%d\n", seen[0], seen[1]);
    pthread_join(one, NULL);
    return 0;
}
