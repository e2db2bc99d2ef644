// violation: exit status 3, expected 0
// Two threads end the program: either can be the first.
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
    atomic_store(&x, 1);
    pthread_detach(thread);
    return 0;
}
