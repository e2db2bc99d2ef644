// models: sc tso pso c11
// violation: fails the assertion
// race: u
// Bytes that are stored one by one can be seen one by one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t whole;
    uint8_t bytes[4];
} u;

static void *store(void *unused)
{
    u.bytes[0] = 1;
    u.bytes[3] = 1;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, store, NULL);
    uint32_t seen = u.whole;
    assert(seen != 1);
    pthread_join(one, NULL);
    return 0;
}
