// says: not seen: accesses by gmtime()
// gmtime() has one result for all threads.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    time_t t = i * 86400 * 400;
    bad[i] = gmtime(&t)->tm_year != 70 + i;
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
