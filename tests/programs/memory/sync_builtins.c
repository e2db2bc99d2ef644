// cflags: -Wno-sync-fetch-and-nand-semantics-changed
// The older __sync_* builtins.
#include <assert.h>
#include <pthread.h>

static int added, subtracted, ored, anded = -1, xored, nanded, swapped;
static int lock, guarded;

static void *work(void *arg)
{
    int bit = arg ? 1 : 2;

    for (int i = 0; i < 4; i++) {
        __sync_fetch_and_add(&added, 2);
        __sync_sub_and_fetch(&subtracted, 1);
        __sync_or_and_fetch(&ored, bit);
        __sync_fetch_and_and(&anded, ~bit);
        __sync_xor_and_fetch(&xored, bit);
        __sync_nand_and_fetch(&nanded, 0);
        int old;
        do
            old = __sync_val_compare_and_swap(&swapped, 0, 0);
        while (!__sync_bool_compare_and_swap(&swapped, old, old + 1));
        while (__sync_lock_test_and_set(&lock, 1))
            continue;
        guarded++;
        __sync_lock_release(&lock);
    }
    __sync_synchronize();
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, &other);
    work(NULL);
    pthread_join(other, NULL);
    assert(added == 16 && subtracted == -8 && ored == 3 && anded == -4 && xored == 0);
    assert(nanded == -1 && swapped == 8 && guarded == 8 && lock == 0);
    return 0;
}
