// 1,000 threads, one after another: what a thread used is used again.
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *arg)
{
    count++;
    return arg;
}

int main(void)
{
    for (long i = 0; i < 1000; i++) {
        pthread_t thread;
        void *result;
        assert(!pthread_create(&thread, NULL, work, (void *)i));
        assert(!pthread_join(thread, &result));
        assert(result == (void *)i && count == i + 1);
    }
    return 0;
}
