// says: not seen: accesses by code that stalemate-cc did not compile
// foreign.other counts its calls; it is compiled without the pass.
#include <pthread.h>

int next_number(void);

static int number[2];

static void *work(void *arg)
{
    number[(long)arg] = next_number();
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
