// no race
/* What makes a descriptor ready comes before the poll that returns it, though nobody reads it. */
#define _GNU_SOURCE
#include "../race.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

enum { POLL, PPOLL, SELECT, PSELECT, EPOLL, CLOSED, WAYS };
static int ends[WAYS][2], set;
int x[WAYS];

static void *a(void *unused)
{
    for (int way = 0; way < WAYS; way++) {
        x[way] = 1;
        if (way == CLOSED)
            close(ends[way][1]);
        else if (write(ends[way][1], "", 1) != 1)
            abort();
    }
    return unused;
}

static void await(int way)
{
    struct pollfd one = {.fd = ends[way][0], .events = POLLIN};
    struct epoll_event event;
    fd_set ready;
    int n = 0;
    FD_ZERO(&ready);
    FD_SET(one.fd, &ready);
    switch (way) {
    case POLL:
    case CLOSED:
        n = poll(&one, 1, -1);
        break;
    case PPOLL:
        n = ppoll(&one, 1, NULL, NULL);
        break;
    case SELECT:
        n = select(one.fd + 1, &ready, NULL, NULL, NULL);
        break;
    case PSELECT:
        n = pselect(one.fd + 1, &ready, NULL, NULL, NULL, NULL);
        break;
    case EPOLL:
        n = epoll_wait(set, &event, 1, -1);
        break;
    }
    if (n != 1)
        abort();
}

static void *b(void *unused)
{
    for (int way = 0; way < WAYS; way++) {
        await(way);
        USE(x[way]);
    }
    return unused;
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    for (int way = 0; way < WAYS; way++)
        if (pipe(ends[way]))
            return 1;
    set = epoll_create1(0);
    if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, ends[EPOLL][0], &event))
        return 1;
    run(a, b);
    return 0;
}
