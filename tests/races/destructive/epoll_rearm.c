// race: connection.served
/* Not what a thread does after it has armed a descriptor again: the next worker may be there
 * already. */
#include "../race.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

struct connection {
    int fd, served;
};
static struct connection connection;
static int set;

static void arm(int operation)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.ptr = &connection};
    if (epoll_ctl(set, operation, connection.fd, &event))
        abort();
}

static void *serve(void *unused)
{
    struct epoll_event event;
    if (epoll_wait(set, &event, 1, -1) != 1)
        abort();
    struct connection *found = event.data.ptr;
    arm(EPOLL_CTL_MOD);
    found->served++;
    return unused;
}

int main(void)
{
    pthread_t workers[2];
    set = epoll_create1(0);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, serve, NULL);
    connection.fd = eventfd(1, 0);
    arm(EPOLL_CTL_ADD);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
