// output: 0 1 2
// output: 0 2 1
// output: 1 0 2
// output: 1 2 0
// output: 2 0 1
// output: 2 1 0
// Three threads print inside a section of one mutex, which orders what they print.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *arg)
{
    pthread_mutex_lock(&mutex);
    printf("%ld\n", (long)arg);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, print, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
