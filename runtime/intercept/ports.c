#define _GNU_SOURCE
#include "runtime/intercept/ports.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "abi/control.h"
#include "runtime/intercept/identity.h"
#include "runtime/intercept/names.h"
#include "runtime/intercept/real.h"
#include "runtime/sched/sched.h"

enum { FIRST_SHOWN = 61000, LAST_SHOWN = 65535, FIRST_CHOSEN = 32768, MOST_PORTS = 1024 };

struct port {
    uint16_t real, shown;
    bool bound; /* by the program: it stays when another socket connects */
};

static struct {
    struct port ports[MOST_PORTS]; /* the newest last */
    uint32_t n;
    uint16_t n_shown;
    bool translates; /* a port that the program listens at has another number in the kernel */
} all SM_SELDOM;

/* NULL: not an address of the internet, or cut short. */
static in_port_t *port_of(const struct sockaddr *address, socklen_t length)
{
    if (!address || length < sizeof address->sa_family)
        return NULL;
    if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in))
        return &((struct sockaddr_in *)address)->sin_port;
    if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6))
        return &((struct sockaddr_in6 *)address)->sin6_port;
    return NULL;
}

static struct port *by_real(uint16_t real)
{
    for (uint32_t i = all.n; i-- > 0;)
        if (all.ports[i].real == real)
            return &all.ports[i];
    return NULL;
}

static struct port *by_shown(uint16_t shown)
{
    for (uint32_t i = all.n; i-- > 0;)
        if (all.ports[i].shown == shown)
            return &all.ports[i];
    return NULL;
}

/* Ports beyond the limits are shown as they are. */
static void add(uint16_t real, uint16_t shown, bool bound)
{
    if (all.n == MOST_PORTS)
        return;
    sm_seldom_touch(&all, sizeof all);
    all.ports[all.n++] = (struct port){real, shown, bound};
}

static uint16_t next_shown(uint16_t otherwise)
{
    if (all.n_shown > LAST_SHOWN - FIRST_SHOWN)
        return otherwise;
    sm_seldom_touch(&all, sizeof all);
    return (uint16_t)(FIRST_SHOWN + all.n_shown++);
}

void sm_port_show(struct sockaddr *address, socklen_t room)
{
    in_port_t *port = port_of(address, room);
    uint16_t real = port ? ntohs(*port) : 0;
    if (!real || (!by_real(real) && real < FIRST_CHOSEN))
        return;
    if (!by_real(real))
        add(real, next_shown(real), false);
    const struct port *known = by_real(real);
    if (known)
        *port = htons(known->shown);
}

const struct sockaddr *sm_port_meant(const struct sockaddr *address, socklen_t length,
                                     struct sockaddr_storage *copy)
{
    const in_port_t *port = port_of(address, length);
    const struct port *known = port ? by_shown(ntohs(*port)) : NULL;
    if (!known || known->real == known->shown || length > sizeof *copy)
        return address;
    memcpy(copy, address, length);
    *port_of((struct sockaddr *)copy, length) = htons(known->real);
    return (struct sockaddr *)copy;
}

void sm_port_named(const struct sockaddr *address, socklen_t length)
{
    const in_port_t *port = port_of(address, length);
    uint16_t number = port ? ntohs(*port) : 0;
    if (number && !by_shown(number))
        add(number, number, true);
}

/* Its own port; 0 if it has none. */
static uint16_t own_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int error = errno;
    long failed = sm_syscall(SYS_getsockname, (long)fd, &address, &length);
    errno = error;
    const in_port_t *port = failed < 0 ? NULL : port_of((struct sockaddr *)&address, length);
    return port ? ntohs(*port) : 0;
}

/* The kernel may give a port again, whose socket was closed: each connection has a number. */
void sm_port_connected(int fd)
{
    uint16_t real = own_port(fd);
    const struct port *known = real ? by_real(real) : NULL;
    if (real && !(known && known->bound))
        add(real, next_shown(real), false);
}

static void refuse_translation(void)
{
    sm_end(SM_END_REFUSED, 0,
           "the program has a child and listens at a port of the kernel's choice, which an "
           "execution beside this one has as well; use --jobs 1");
}

void sm_ports_inherited(void)
{
    if (all.translates)
        refuse_translation();
}

/* ---- calls ---- */

static int bind_by_kernel(int fd, const struct sockaddr *address, socklen_t length, uint16_t shown)
{
    if (SM_REAL(bind)(fd, address, length) != 0)
        return -1;
    add(own_port(fd), shown, true);
    all.translates = true;
    if (sm_process_has_forked())
        refuse_translation();
    return 0;
}

static int bind_anywhere(int fd, const struct sockaddr *address, socklen_t length)
{
    struct sockaddr_storage copy = {0};
    uint16_t shown = next_shown(0);
    if (!shown || length > sizeof copy)
        return SM_REAL(bind)(fd, address, length);
    memcpy(&copy, address, length);
    *port_of((struct sockaddr *)&copy, length) = htons(shown);
    int result = SM_REAL(bind)(fd, (struct sockaddr *)&copy, length);
    if (result != 0 && errno == EADDRINUSE)
        return bind_by_kernel(fd, address, length, shown);
    if (result == 0)
        add(shown, shown, true);
    return result;
}

SM_EXPORT int bind(int fd, const struct sockaddr *address, socklen_t length)
{
    SM_PASS(bind, fd, address, length);
    sm_address_used(address, length);
    const in_port_t *port = port_of(address, length);
    struct sockaddr_storage copy;
    if (port && *port == 0)
        return bind_anywhere(fd, address, length);
    sm_port_named(address, length);
    return SM_REAL(bind)(fd, sm_port_meant(address, length, &copy), length);
}

/* Shows what a call has written into an address of this room. */
static int shown(int result, struct sockaddr *address, socklen_t room, const socklen_t *length)
{
    if (result == 0)
        sm_port_show(address, *length < room ? *length : room);
    return result;
}

SM_EXPORT int getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
    SM_PASS(getsockname, fd, address, length);
    socklen_t room = *length;
    return shown(SM_REAL(getsockname)(fd, address, length), address, room, length);
}

SM_EXPORT int getpeername(int fd, struct sockaddr *address, socklen_t *length)
{
    SM_PASS(getpeername, fd, address, length);
    socklen_t room = *length;
    return shown(SM_REAL(getpeername)(fd, address, length), address, room, length);
}
