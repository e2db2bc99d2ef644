// select and pselect: sets in, sets out, time-outs.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int in[2], out[2];

static void *work(void *arg)
{
    char byte;
    assert(read(out[0], &byte, 1) == 1);
    assert(write(in[1], &byte, 1) == 1);
    return arg;
}

int main(void)
{
    assert(pipe(in) == 0 && pipe(out) == 0);
    fd_set readable, writable;
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    FD_SET(in[0], &readable);
    FD_SET(out[1], &writable);
    assert(select(out[1] + 1, &readable, &writable, NULL, NULL) == 1);
    assert(!FD_ISSET(in[0], &readable) && FD_ISSET(out[1], &writable));
    struct timeval limit = {.tv_usec = 10000};
    FD_SET(in[0], &readable);
    assert(select(in[0] + 1, &readable, NULL, NULL, &limit) == 0 && !FD_ISSET(in[0], &readable));
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(write(out[1], "y", 1) == 1);
    FD_SET(in[0], &readable);
    assert(pselect(in[0] + 1, &readable, NULL, NULL, NULL, NULL) == 1 &&
           FD_ISSET(in[0], &readable));
    pthread_join(thread, NULL);
    close(in[0]);
    assert(select(in[0] + 1, &readable, NULL, NULL, NULL) == -1 && errno == EBADF);
    return 0;
}
