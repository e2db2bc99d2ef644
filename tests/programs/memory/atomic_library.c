// cflags: -latomic -Wno-atomic-alignment
// Atomics too large for an instruction: 16 bytes without -mcx16, and a struct of 24 bytes.
// Both are calls into libatomic, which is not instrumented.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple {
    long a, b, c;
};
static _Atomic struct triple shared;
static _Atomic __int128 wide;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++) {
        struct triple seen = atomic_load(&shared), next;
        do {
            assert(seen.a == seen.b && seen.b == seen.c);
            next = (struct triple){seen.a + 1, seen.b + 1, seen.c + 1};
        } while (!atomic_compare_exchange_strong(&shared, &seen, next));
        atomic_fetch_add(&wide, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    struct triple end = atomic_load(&shared);
    assert(end.a == 10 && end.b == 10 && end.c == 10 && wide == 10);
    return 0;
}
