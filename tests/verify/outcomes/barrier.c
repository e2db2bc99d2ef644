// right: 1
// wrong: 0 1
// Data are there behind the barrier; wrong: who sees the flag does not wait for it.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int data, done;

static void *work(void *unused)
{
    data = 1;
    done = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t one;
    int seen = -1;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, work, NULL);
#ifdef WRONG
    if (done)
        seen = data;
#endif
    pthread_barrier_wait(&barrier);
    if (seen < 0)
        seen = data;
    pthread_join(one, NULL);
    pthread_barrier_destroy(&barrier);
    printf("%d\n", seen);
    return 0;
}
