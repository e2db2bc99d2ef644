// says: not seen: accesses by open()
// The lowest free descriptor goes to who asks first.
#include <fcntl.h>
#include <pthread.h>

static int fd[2];

static void *work(void *arg)
{
    fd[(long)arg] = open("/dev/null", O_RDONLY);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return fd[0] == fd[1];
}
