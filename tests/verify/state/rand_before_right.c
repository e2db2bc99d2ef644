// says: race-free, hence sequentially consistent
// The twin of rand.c: nobody else runs when the numbers are made.
#include <pthread.h>
#include <stdlib.h>

static int number[2], sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&mutex);
    sum += number[(long)arg];
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    srand(1);
    for (long i = 0; i < 2; i++)
        number[i] = rand() % 100;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    sum += rand() % 100;
    return 0;
}
