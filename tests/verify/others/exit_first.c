// executions: 1
// One thread may end the program with another status, but only after it has been joined.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *leave(void *unused)
{
    if (atomic_load(&x))
        exit(3);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    atomic_store(&x, 1);
    return 0;
}
