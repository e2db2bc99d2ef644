/* N threads, each once through a ticket lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif
static atomic_int next, serving;
static int x;

static void *pass(void *unused)
{
    (void)unused;
    int mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        continue;
    x++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(x == N);
    return 0;
}
