/*
 * Two threads and both ends of Unix-domain sockets: a pair, and a connection. TWIN: nobody writes,
 * and no other process has the sockets: a deadlock, found at once.
 *
 *   sockets pair|connection|poll     both ends are here
 *   sockets outside PATH             a server has the other end of the connection (holder.c)
 *   sockets passed PATH              it is given the other end of a pair
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg)
{
#ifndef TWIN
    if (write(ends[1], "x", 1) != 1)
        return NULL;
#endif
    return arg;
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return address;
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&address, sizeof address) ? -1 : fd;
}

static int connect_here(void)
{
    struct sockaddr_un address = address_of("listener");
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    unlink(address.sun_path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
        return -1;
    ends[0] = connect_to(address.sun_path);
    ends[1] = accept(listener, NULL, NULL);
    return close(listener);
}

static int pass(int over, int fd)
{
    char room[CMSG_SPACE(sizeof fd)] = {0}, byte = 'p';
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    return sendmsg(over, &message, 0) == 1 ? close(fd) : -1;
}

static int outside(const char *how, const char *path)
{
    int server = connect_to(path);
    char byte;
    if (strcmp(how, "outside") == 0)
        return write(server, "o", 1) == 1 && read(server, &byte, 1) == 1 ? 0 : 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || pass(server, ends[1]))
        return 1;
    return read(ends[0], &byte, 1) == 1 ? 0 : 1;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    char byte;
    if (argc == 3)
        return outside(argv[1], argv[2]);
    if (*argv[1] == 'c' ? connect_here() : socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pthread_create(&thread, NULL, writer, NULL);
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    if (argv[1][1] == 'o' && argv[1][0] == 'p' && poll(&one, 1, -1) != 1)
        return 1;
    if (read(ends[0], &byte, 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
