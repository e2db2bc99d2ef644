// executions: 2
// models: sc tso pso c11
// libc stores the text, where the threads before have left the end.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[16];
static int used;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *append(void *arg)
{
    pthread_mutex_lock(&m);
    used += snprintf(text + used, sizeof text - (size_t)used, "%d.", *(int *)arg);
    pthread_mutex_unlock(&m);
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
    assert(strcmp(text, "17.42.") == 0 || strcmp(text, "42.17.") == 0);
    return 0;
}
