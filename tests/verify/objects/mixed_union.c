// models: sc tso pso c11
// race: u
// A word is stored as a whole, and by its bytes: a reader of the word sees either, or the second
// over the first, and never a part of the first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t whole;
    uint8_t bytes[4];
} u;

static void *store(void *unused)
{
    u.whole = 0x11111111;
    u.bytes[1] = 0x22;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, store, NULL);
    uint32_t seen = u.whole;
    assert(seen == 0 || seen == 0x11111111 || seen == 0x11112211);
    pthread_join(one, NULL);
    return 0;
}
