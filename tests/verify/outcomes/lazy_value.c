// hb: 42
// past: 42
// The value is its own flag, and is read once: a benign race.
#include <pthread.h>
#include <stdio.h>

static int value;

static int get(void)
{
    int mine = value;
    if (!mine) {
        mine = 42;
        value = mine;
    }
    return mine;
}

static void *work(void *unused)
{
    get();
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    printf("%d\n", get());
    pthread_join(one, NULL);
    return 0;
}
