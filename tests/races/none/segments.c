// no race
/* Each thread has a segment of its own: that both are attached at one address, one after the other,
   does not make them common memory. */
#include "../race.h"
#include <stdatomic.h>
#include <sys/shm.h>

static void *use(void *at)
{
    int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
    char *bytes = shmat(id, at, 0);
    if (bytes == (void *)-1)
        abort();
    shmctl(id, IPC_RMID, NULL);
    bytes[7] = 1;
    bytes[5000] = 1;
    shmdt(bytes);
    return bytes;
}

static void *_Atomic first;

static void *a(void *unused)
{
    atomic_store_explicit(&first, use(NULL), memory_order_relaxed);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    void *at = atomic_load_explicit(&first, memory_order_relaxed);
    if (use(at) != at)
        abort();
    return unused;
}

int main(void)
{
    run(a, b);
    return 0;
}
