/* A thread waits for a flag that another one sets only if it comes late enough. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, go;

static void *wait_for_flag(void *unused)
{
    while (!atomic_load(&flag))
        continue;
    return unused;
}

static void *set_flag(void *unused)
{
    if (atomic_load(&go))
        atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for_flag, NULL);
    pthread_create(&two, NULL, set_flag, NULL);
    atomic_store(&go, 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
