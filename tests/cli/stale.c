// The consumer waits for `ready`, and may still see what main had stored before.
#include <assert.h>
#include <pthread.h>

static int data, ready;

static void *producer(void *unused)
{
    data = 42;
    ready = 1;
    return unused;
}

static void *consumer(void *unused)
{
    if (ready)
        assert(data == 42);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    data = 7;
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
