// hb: 0 42
// past: 0 42
// Made by whoever comes first, or by both; the flag may be seen before the value.
#include <pthread.h>
#include <stdio.h>

static int value, made;

static int get(void)
{
    if (!made) {
        value = 42;
        made = 1;
    }
    return value;
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
