// output: begin first second end
// A thread prints before it sets the flag, the other one after it has seen it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;

static void *first(void *unused)
{
    puts("first");
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *second(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        continue;
    puts("second");
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    puts("begin");
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    puts("end");
    return 0;
}
