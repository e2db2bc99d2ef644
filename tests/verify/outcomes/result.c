// hb: 1
// past: 1
// What a thread returns is known to who joins it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *unused)
{
    (void)unused;
    int *result = malloc(sizeof *result);
    *result = 1;
    return result;
}

int main(void)
{
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, work, NULL);
    pthread_join(one, &result);
    printf("%d\n", *(int *)result);
    free(result);
    return 0;
}
