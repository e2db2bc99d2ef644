// main leaves by pthread_exit: it can be joined, the others go on, the last ends the process with
// 0.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t initial;
static int told;

static void at_exit(void)
{
    assert(told == 2);
    puts("done");
}

static void *joins_main(void *arg)
{
    void *result;
    assert(pthread_join(initial, &result) == 0 && result == &told);
    told++;
    return arg;
}

static void handler(void *arg)
{
    ++*(int *)arg;
}

int main(void)
{
    pthread_t thread;
    atexit(at_exit);
    initial = pthread_self();
    pthread_create(&thread, NULL, joins_main, NULL);
    pthread_detach(thread);
    pthread_cleanup_push(handler, &told);
    pthread_exit(&told);
    pthread_cleanup_pop(0);
    return 1;
}
