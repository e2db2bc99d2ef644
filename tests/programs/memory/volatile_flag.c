// races: yes
// A spin loop on a volatile flag ends, and volatile accesses keep their values.
#include <assert.h>
#include <pthread.h>

static volatile int flag, counter;
static volatile long long wide;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++)
        counter = counter + 1;
    wide = 0x123456789abcdefLL;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    while (!flag)
        continue;
    assert(counter == 10 && wide == 0x123456789abcdefLL);
    pthread_join(thread, NULL);
    return 0;
}
