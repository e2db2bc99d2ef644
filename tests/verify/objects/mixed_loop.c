// models: sc tso pso c11
// race: flags
// A loop waits for two flags at once, which are set one by one.
#include <pthread.h>
#include <stdint.h>

static union {
    volatile uint16_t both;
    volatile uint8_t one[2];
} flags;

static void *set(void *arg)
{
    *(volatile uint8_t *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, set, (void *)&flags.one[0]);
    pthread_create(&two, NULL, set, (void *)&flags.one[1]);
    while (flags.both != 0x101)
        ;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
