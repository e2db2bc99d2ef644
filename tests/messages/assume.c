#include "stalemate.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static int count;
static void *first(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    stalemate_assume(atomic_load_explicit(&y, memory_order_relaxed) == 1);
    pthread_mutex_lock(&m);
    count += 2;
    pthread_mutex_unlock(&m);
    return p;
}
static void *second(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_mutex_lock(&m);
    count += 3;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    printf("%d\n", count);
    return 0;
}
