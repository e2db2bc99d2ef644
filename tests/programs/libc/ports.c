// Ports of the kernel's choice are the same in each execution, and lead where they should: of
// sockets that are bound to port 0, of those that connect, and where another process has the port.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLIENTS = 2 };
static int server, peers[CLIENTS];
static unsigned short port, own[CLIENTS];

static struct sockaddr_in at(unsigned short number)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(number),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static unsigned short port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    assert(getsockname(fd, (struct sockaddr *)&address, &length) == 0);
    return ntohs(address.sin_port);
}

static int bound(int type)
{
    struct sockaddr_in address = at(0);
    int fd = socket(AF_INET, type, 0);
    assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    return fd;
}

static void *client(void *arg)
{
    unsigned short *mine = arg;
    struct sockaddr_in address = at(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char byte;
    assert(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    *mine = port_of(fd);
    assert(read(fd, &byte, 1) == 0);
    close(fd);
    return NULL;
}

static void serve(void)
{
    pthread_t threads[CLIENTS];
    server = bound(SOCK_STREAM);
    port = port_of(server);
    assert(listen(server, CLIENTS) == 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&threads[i], NULL, client, &own[i]);
    for (int i = 0; i < CLIENTS; i++) {
        struct sockaddr_in from, same;
        socklen_t length = sizeof from;
        int fd = accept(server, (struct sockaddr *)&from, &length);
        assert(fd >= 0 && getpeername(fd, (struct sockaddr *)&same, &length) == 0);
        assert(from.sin_port == same.sin_port);
        peers[i] = ntohs(from.sin_port);
        close(fd);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    close(server);
    assert((peers[0] == own[0] && peers[1] == own[1]) ||
           (peers[0] == own[1] && peers[1] == own[0]));
}

/* The answer goes to the address that the question came from. */
static void answer(void)
{
    int asks = socket(AF_INET, SOCK_DGRAM, 0), answers = bound(SOCK_DGRAM);
    struct sockaddr_in to = at(port_of(answers)), from;
    socklen_t length = sizeof from;
    char byte = 'q';
    assert(sendto(asks, &byte, 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
    assert(recvfrom(answers, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1);
    assert(from.sin_port == htons(port_of(asks)));
    assert(sendto(answers, "a", 1, 0, (struct sockaddr *)&from, sizeof from) == 1);
    assert(recv(asks, &byte, 1, 0) == 1 && byte == 'a');
    printf("asked from %d\n", ntohs(from.sin_port));
    close(asks);
    close(answers);
}

/* As another process would: behind the runtime's back. */
static int take_away(unsigned short number)
{
    struct sockaddr_in address = at(number);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    syscall(SYS_bind, fd, &address, sizeof address);
    return fd;
}

int main(void)
{
    serve();
    printf("port %d, clients %d and %d\n", port, own[0], own[1]);
    answer();
    int stranger = take_away((unsigned short)(port + 5));
    serve();
    printf("port %d, clients %d and %d\n", port, own[0], own[1]);
    close(stranger);
    return 0;
}
