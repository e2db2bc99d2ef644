/*
 * The twin of volatile_fences.c: the reader has no fence, and data may still show an older value.
 *
 * hunt: flag benign
 * hunt: data destructive c11
 * options: --no-exact
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static volatile int flag;

static void *writer(void *arg)
{
    data = 1;
    data = 2;
    atomic_thread_fence(memory_order_release);
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    int seen = 2;
    pthread_create(&thread, NULL, writer, NULL);
    if (flag) {
        seen = data;
    }
    pthread_join(thread, NULL);
    assert(seen == 2);
    return 0;
}
