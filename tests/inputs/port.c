/* A server with a child at a port of the kernel's choice that another process has already: the
 * child could not be told. -DTWIN: no child. */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_CHOSEN = 61000 };

static struct sockaddr_in at(unsigned short port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
}

int main(void)
{
    struct sockaddr_in taken = at(FIRST_CHOSEN), any = at(0);
    int stranger = socket(AF_INET, SOCK_STREAM, 0), server = socket(AF_INET, SOCK_STREAM, 0);
    syscall(SYS_bind, stranger, &taken, sizeof taken); /* behind the runtime's back */
    if (stranger < 0 || bind(server, (struct sockaddr *)&any, sizeof any) != 0)
        return 1;
#ifndef TWIN
    if (fork() == 0)
        _exit(0);
    wait(NULL);
#endif
    return 0;
}
