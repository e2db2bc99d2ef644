/* More events than a bound allows. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *unused)
{
    for (int i = 0; i < 200; i++)
        atomic_store(&x, i);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    (void)atomic_load(&x);
    pthread_join(thread, NULL);
    return 0;
}
