// executions: 2
// models: sc tso pso c11
// A text that is printed twice by one call is no loop that waits for a change of it.
#include <pthread.h>
#include <stdio.h>

static char text[] = "hello";
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *unused)
{
    pthread_mutex_lock(&mutex);
    printf("%s %s\n", text, text);
    printf("%1$s %1$s\n", text);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *change(void *unused)
{
    pthread_mutex_lock(&mutex);
    text[0] = 'j';
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, print, NULL);
    pthread_create(&two, NULL, change, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
