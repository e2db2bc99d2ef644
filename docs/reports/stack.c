/* A variable on the stack of another thread: main looks at it before the thread has ended. */
#include "turn.h"

static void *compute(void *result)
{
    *(int *)result = 7;
    done();
    return NULL;
}

int main(void)
{
    int result = 0;
    pthread_t worker;
    pthread_create(&worker, NULL, compute, &result);
    after();
    printf("%d\n", result);
    pthread_join(worker, NULL);
    return 0;
}
