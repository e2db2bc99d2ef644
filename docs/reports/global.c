/* A global variable: the total is read before the thread that adds it up was joined. */
#include "turn.h"

long total;

static void *add(void *unused)
{
    total = 42;
    done();
    return unused;
}

int main(void)
{
    pthread_t adder;
    pthread_create(&adder, NULL, add, NULL);
    after();
    printf("%ld\n", total);
    pthread_join(adder, NULL);
    return 0;
}
