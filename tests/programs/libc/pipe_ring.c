// A token goes round three threads over three pipes, with writev and readv.
#include <assert.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 4 };
static int pipes[THREADS][2];

static void pass(int me)
{
    char head, tail;
    struct iovec pieces[2] = {{&head, 1}, {&tail, 1}};
    for (int i = 0; i < ROUNDS; i++) {
        assert(readv(pipes[me][0], pieces, 2) == 2);
        assert(head == (char)(i * THREADS + me) && tail == 'x');
        head++;
        assert(writev(pipes[(me + 1) % THREADS][1], pieces, 2) == 2);
    }
}

static void *work(void *arg)
{
    pass((int)(long)arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert(pipe(pipes[i]) == 0);
    for (long i = 1; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    assert(write(pipes[0][1], "\0x", 2) == 2);
    pass(0);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
