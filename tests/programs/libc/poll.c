// poll and ppoll: the ready one of several, time-outs, and the far end closed.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int first[2], second[2];

static void *work(void *arg)
{
    usleep(1000);
    assert(write(second[1], "x", 1) == 1);
    usleep(1000);
    close(first[1]);
    return arg;
}

int main(void)
{
    assert(pipe(first) == 0 && pipe(second) == 0);
    struct pollfd fds[3] = {{.fd = first[0], .events = POLLIN},
                            {.fd = -1, .events = POLLIN},
                            {.fd = second[0], .events = POLLIN}};
    assert(poll(fds, 3, 0) == 0);
    assert(poll(fds, 3, 20) == 0 && poll(NULL, 0, 5) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(poll(fds + 2, 1, -1) == 1 && fds[2].revents == POLLIN);
    char byte;
    assert(read(second[0], &byte, 1) == 1 && byte == 'x');
    assert(ppoll(fds, 3, &(struct timespec){.tv_sec = 5}, NULL) == 1);
    assert(fds[0].revents == POLLHUP && fds[2].revents == 0);
    assert(read(first[0], &byte, 1) == 0);
    pthread_join(thread, NULL);
    return 0;
}
