// says: not seen: accesses by setenv()
// The environment belongs to all threads.
#include <pthread.h>
#include <stdlib.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    setenv("X", i ? "1" : "0", 1);
    bad[i] = *getenv("X") != (char)(48 + i);
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
