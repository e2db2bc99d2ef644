// More threads blocked in read than one call of poll could take at a time: each is woken.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 80 };
static int pipes[THREADS][2];

static void *work(void *arg)
{
    long me = (long)arg;
    char byte = 0;
    assert(read(pipes[me][0], &byte, 1) == 1 && byte == (char)me);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        assert(pipe(pipes[i]) == 0);
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (int i = THREADS - 1; i >= 0; i--) {
        char byte = (char)i;
        assert(write(pipes[i][1], &byte, 1) == 1);
        pthread_join(threads[i], NULL);
    }
    return 0;
}
