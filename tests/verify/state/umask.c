// says: not seen: accesses by umask()
// The file mode creation mask is the state of the process.
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

static int bad[2];

static void *work(void *arg)
{
    long i = (long)arg;
    mode_t mask = i ? 022 : 077;
    umask(mask);
    bad[i] = umask(mask) != mask;
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
