// The __atomic_* builtins on ordinary objects, generic forms included.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct eight {
    uint32_t low, high;
};
static uint16_t count16;
static int64_t count64, nanded;
static struct eight both __attribute__((aligned(8)));
static char flag;
static int guarded, largest, smallest = 100;

static void bump_both(void)
{
    struct eight seen, next;

    __atomic_load(&both, &seen, __ATOMIC_ACQUIRE);
    do {
        assert(seen.low == seen.high);
        next = (struct eight){seen.low + 1, seen.high + 1};
    } while (
        !__atomic_compare_exchange(&both, &seen, &next, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

static void *work(void *arg)
{
    int id = arg ? 10 : 20;

    for (int i = 0; i < 4; i++) {
        __atomic_add_fetch(&count16, 1, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&count64, 1, __ATOMIC_ACQ_REL);
        __atomic_fetch_nand(&nanded, 0, __ATOMIC_SEQ_CST);
        __atomic_fetch_max(&largest, id + i, __ATOMIC_RELAXED);
        __atomic_fetch_min(&smallest, id + i, __ATOMIC_RELAXED);
        bump_both();
        while (__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE))
            continue;
        guarded++;
        __atomic_clear(&flag, __ATOMIC_RELEASE);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, work, &other);
    work(NULL);
    pthread_join(other, NULL);
    assert(count16 == 8 && count64 == -8 && nanded == -1 && both.low == 8 && both.high == 8);
    assert(guarded == 8 && largest == 23 && smallest == 10);
    assert(__atomic_exchange_n(&count16, 5, __ATOMIC_SEQ_CST) == 8 && count16 == 5);
    assert(__atomic_always_lock_free(8, 0));
    return 0;
}
