// A server and its clients on a local socket: listen, accept, connect, send, recv, shutdown.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../real_pid.h"

enum { CLIENTS = 3, SIZE = 5000 };
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_size;

static void *client(void *arg)
{
    char mark = (char)(long)arg, data[SIZE], echo[SIZE];
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(fd, (struct sockaddr *)&address, address_size) == 0);
    memset(data, mark, sizeof data);
    assert(send(fd, data, sizeof data, 0) == sizeof data);
    assert(shutdown(fd, SHUT_WR) == 0);
    assert(recv(fd, echo, sizeof echo, MSG_WAITALL) == sizeof echo);
    assert(memcmp(data, echo, sizeof data) == 0);
    assert(recv(fd, echo, 1, 0) == 0);
    close(fd);
    return NULL;
}

static void serve(int fd)
{
    char data[SIZE];
    size_t total = 0;
    ssize_t n;
    while ((n = recv(fd, data + total, sizeof data - total, 0)) > 0)
        total += (size_t)n;
    struct iovec piece = {data, total};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    assert(sendmsg(fd, &message, 0) == (ssize_t)total);
    close(fd);
}

int main(void)
{
    pthread_t threads[CLIENTS];
    /* an abstract name: nothing is left behind, and each process has its own */
    int n = put_real_name(address.sun_path + 1, sizeof address.sun_path - 1, "sm-test-");
    address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, address_size) == 0);
    assert(listen(listener, 1) == 0);
    for (long i = 0; i < CLIENTS; i++)
        pthread_create(&threads[i], NULL, client, (void *)(i + 'a'));
    for (int i = 0; i < CLIENTS; i++) {
        int fd = accept(listener, NULL, NULL);
        assert(fd >= 0);
        serve(fd);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    close(listener);
    return 0;
}
