// pthread_exit inside a cleanup handler goes on with the next handler and the new result.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int first, second, third;

/* glibc takes a handler off its list only when it returns, so it is called again. */
static void exits_again(void *arg)
{
    if (first++ == 0)
        pthread_exit(arg);
}

static void counts(void *arg)
{
    ++*(int *)arg;
}

static void *work(void *arg)
{
    pthread_cleanup_push(counts, &third);
    pthread_cleanup_push_defer_np(counts, &second);
    pthread_cleanup_push(exits_again, arg);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop_restore_np(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, &first);
    assert(pthread_join(thread, &result) == 0 && result == &first);
    assert(first == 2 && second == 1 && third == 1);
    return 0;
}
