// cflags: -fno-asynchronous-unwind-tables -fno-unwind-tables
// Code without unwind tables cannot be unwound: its cleanup handlers run all the same.
#include <assert.h>
#include <pthread.h>

static int handlers;

static void handler(void *arg)
{
    handlers = handlers * 10 + *(int *)arg;
}

static void inner(void *result)
{
    pthread_cleanup_push(handler, &(int){1});
    pthread_exit(result);
    pthread_cleanup_pop(0);
}

static void *work(void *arg)
{
    pthread_cleanup_push(handler, &(int){2});
    inner(arg);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, &handlers);
    assert(pthread_join(thread, &result) == 0 && result == &handlers && handlers == 12);
    return 0;
}
