// says: not seen: accesses by srand48()
// Random numbers come from a generator that all threads share.
#include <pthread.h>
#include <stdlib.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    srand48(5);
    long first = lrand48();
    srand48(5);
    bad[i] = lrand48() != first;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, (void *)0);
    pthread_create(&two, NULL, work, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return bad[0] || bad[1];
}
