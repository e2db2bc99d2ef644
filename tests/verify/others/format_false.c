// violation: fails the assertion
// race: text
// The twin of format.c without the lock.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16];

static void *append(void *arg)
{
    sprintf(text + strlen(text), "%d.", *(int *)arg);
    return NULL;
}

int main(void)
{
    static int numbers[] = {17, 42};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, append, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(strlen(text) == 6);
    return 0;
}
