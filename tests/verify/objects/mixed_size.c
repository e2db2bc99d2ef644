// models: sc tso pso c11
// refused: does not take atomics apart
#include <pthread.h>
#include <stdatomic.h>

static union {
    atomic_int whole;
    atomic_char byte;
} x;

static void *store(void *unused)
{
    atomic_store(&x.whole, 0x101);
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, store, NULL);
    char seen = atomic_load(&x.byte);
    pthread_join(one, NULL);
    return seen > 1;
}
