// hb: 11
// past: 11
// Neighbouring bytes are two variables.
#include <pthread.h>
#include <stdio.h>

static struct {
    char a, b;
} pair;

static void *first(void *unused)
{
    pair.a = 1;
    return unused;
}

static void *second(void *unused)
{
    pair.b = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d%d\n", pair.a, pair.b);
    return 0;
}
