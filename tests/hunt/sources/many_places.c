/* One of 1,024 places, drawn anew in each execution, reads the racy `x`. With -DHARMFUL three of
   them need its new value. 200 trials see a fifth of the places. With an argument an execution
   goes through all of them, which are more pairs than it has room for. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/random.h>

static int x, sum;
static atomic_int ready;

#ifdef HARMFUL
#define CHECK(n) assert(n % 341 != 340 || sum)
#else
#define CHECK(n)
#endif
#define PLACE(n)                                                                                   \
    case n:                                                                                        \
        sum = x;                                                                                   \
        CHECK(n);                                                                                  \
        break;
#define PLACES4(n) PLACE(n) PLACE(n + 1) PLACE(n + 2) PLACE(n + 3)
#define PLACES16(n) PLACES4(n) PLACES4(n + 4) PLACES4(n + 8) PLACES4(n + 12)
#define PLACES64(n) PLACES16(n) PLACES16(n + 16) PLACES16(n + 32) PLACES16(n + 48)
#define PLACES256(n) PLACES64(n) PLACES64(n + 64) PLACES64(n + 128) PLACES64(n + 192)

static void *write_x(void *unused)
{
    x = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void read_at(unsigned place)
{
    switch (place) {
        PLACES256(0)
        PLACES256(256)
        PLACES256(512)
        PLACES256(768)
    }
}

int main(int argc, char **argv)
{
    pthread_t writer;
    unsigned draw;
    (void)argv;
    getrandom(&draw, sizeof draw, 0);
    pthread_create(&writer, NULL, write_x, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        sched_yield();
    if (argc == 1)
        read_at(draw % 1024);
    for (unsigned i = 0; argc > 1 && i < 1024; i++)
        read_at(i);
    pthread_join(writer, NULL);
    puts("ok");
    return 0;
}
