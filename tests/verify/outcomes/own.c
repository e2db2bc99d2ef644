// hb: 11 12 21 22
// past: 11 12 21 22
// A thread's own write hides the initial value from it, and nothing else.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static int x, seen[2];

static void *work(void *arg)
{
    intptr_t i = (intptr_t)arg;
    x = (int)i + 1;
    seen[i] = x;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)0);
    pthread_create(&two, NULL, work, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%d%d\n", seen[0], seen[1]);
    return 0;
}
