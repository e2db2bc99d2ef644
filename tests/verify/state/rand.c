// says: not seen: accesses by rand()
// The numbers come in one order, whoever asks first.
#include <pthread.h>
#include <stdlib.h>

static int number[2];

static void *work(void *arg)
{
    number[(long)arg] = rand();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return number[0] == number[1];
}
