/* holder PATH: not under control; answers a connection, or writes to the descriptor that it gets.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int serve(int fd)
{
    char room[CMSG_SPACE(sizeof fd)], byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    if (recvmsg(fd, &message, 0) != 1)
        return 1;
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    int to = fd;
    if (rights)
        memcpy(&to, CMSG_DATA(rights), sizeof to);
    /* Longer than the program needs to find that all its threads wait; right without, too. */
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    return write(to, "x", 1) != 1;
}

int main(int argc, char **argv)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (argc != 2)
        return 2;
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    unlink(argv[1]);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1))
        return 1;
    puts("listens");
    fflush(stdout);
    int fd = accept(listener, NULL, NULL);
    return serve(fd);
}
