/* An allocator: memory goes from one thread to another, which frees it. ALLOCATE and RELEASE are
   the allocator's functions. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

void *ALLOCATE(size_t size);
void RELEASE(void *block);

enum { BLOCKS = 6 };

static _Atomic(char *) slot;

static void *consumer(void *arg)
{
    for (int i = 0; i < BLOCKS;) {
        char *block = atomic_exchange(&slot, NULL);
        if (!block)
            continue;
        assert(block[0] == i && block[15] == i);
        char *own = ALLOCATE(16);
        memset(own, 99, 16);
        RELEASE(block);
        RELEASE(own);
        i++;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    for (int i = 0; i < BLOCKS; i++) {
        char *block = ALLOCATE(16);
        memset(block, i, 16);
        while (atomic_load(&slot))
            continue;
        atomic_store(&slot, block);
    }
    pthread_join(thread, NULL);
    return 0;
}
