// output: 0:0 1:1 end
// output: 1:0 0:1 end
// What threads print in a section says who came first, and the order of the text agrees.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *print(void *arg)
{
    pthread_mutex_lock(&mutex);
    printf("%ld:%d\n", (long)arg, turns++);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, print, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    puts("end");
    return 0;
}
