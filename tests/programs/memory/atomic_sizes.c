// cflags: -mcx16
// Atomics of 1, 2, 4, 8 and 16 bytes: neighbours are untouched, nothing is torn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define EACH_SIZE(use) use(uint8_t, one) use(uint16_t, two) use(uint32_t, four) use(uint64_t, eight)

static struct {
#define FIELD(type, name)                                                                          \
    type before_##name;                                                                            \
    _Atomic type name;                                                                             \
    type after_##name;
    EACH_SIZE(FIELD)
} all;

typedef unsigned __int128 wide;
static _Atomic wide sixteen;

static wide twice(uint64_t half)
{
    return (wide)half << 64 | half;
}

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++) {
#define ADD(type, name) atomic_fetch_add(&all.name, 3);
        EACH_SIZE(ADD)
        wide seen = atomic_load(&sixteen);
        assert((uint64_t)seen == (uint64_t)(seen >> 64));
        while (!atomic_compare_exchange_strong(&sixteen, &seen, twice((uint64_t)seen + 1)))
            assert((uint64_t)seen == (uint64_t)(seen >> 64));
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

#define FILL(type, name) all.before_##name = all.after_##name = (type) - 1;
    EACH_SIZE(FILL)
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#define CHECK(type, name)                                                                          \
    assert(all.name == 30 && all.before_##name == (type) - 1 && all.after_##name == (type) - 1);
    EACH_SIZE(CHECK)
    assert(sixteen == twice(10));
    atomic_store(&sixteen, twice(7));
    assert(atomic_exchange(&sixteen, 1) == twice(7) && atomic_fetch_add(&sixteen, 2) == 1);
    assert(sixteen == 3);
    return 0;
}
