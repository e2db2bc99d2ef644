// Datagrams keep their bounds; a receive time-out is virtual.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void *sender(void *arg)
{
    char data[100];
    for (size_t size = 1; size <= sizeof data; size += 9) {
        memset(data, (int)size, size);
        assert(sendto(ends[0], data, size, 0, NULL, 0) == (ssize_t)size);
    }
    return arg;
}

int main(void)
{
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    for (ssize_t size = 1; size <= 100; size += 9) {
        char data[200];
        assert(recvfrom(ends[1], data, sizeof data, 0, NULL, NULL) == size && data[0] == size);
    }
    pthread_join(thread, NULL);
    struct timeval limit = {.tv_usec = 20000};
    char byte;
    assert(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    assert(recv(ends[1], &byte, 1, 0) == -1 && errno == EAGAIN);
    assert(recv(ends[1], &byte, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    return 0;
}
