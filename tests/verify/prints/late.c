// output: first second
// output: second first
// The same, but the first thread prints after it has set the flag.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag;

static void *first(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    fputs("first\n", stdout);
    return unused;
}

static void *second(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        continue;
    fputs("second\n", stdout);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
