/*
 * A message by a volatile flag between two fences. volatile is as relaxed in hb and oota too, so
 * the fences synchronise, and the reader has no choice.
 * The runtime once forgot it there, and the checker found the execution illegal (status 70).
 *
 * hunt: flag benign
 * hunt: data undecided
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
        atomic_thread_fence(memory_order_acquire);
        seen = data;
    }
    pthread_join(thread, NULL);
    assert(seen == 2);
    return 0;
}
