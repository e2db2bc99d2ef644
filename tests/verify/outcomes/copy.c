// hb: 00 02 10 12
// past: 00 02 10 12
// A struct is copied by parts.
#include <pthread.h>
#include <stdio.h>

struct pair {
    long a, b;
};

static struct pair shared;

static void *work(void *unused)
{
    struct pair pair = {1, 2};
    shared = pair;
    return unused;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, work, NULL);
    struct pair pair = shared;
    printf("%ld%ld\n", pair.a, pair.b);
    pthread_join(one, NULL);
    return 0;
}
