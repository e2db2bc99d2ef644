/*
 * ready.h - what poll says of a descriptor, as far as it orders threads.
 */
#ifndef SM_CORE_LIBC_READY_H
#define SM_CORE_LIBC_READY_H

#include <poll.h>
#include <stdbool.h>

/* Has somebody written, closed or failed? Room to write is no message. */
static inline bool sm_poll_tells(const struct pollfd *polled)
{
    return polled->revents & ~(POLLOUT | POLLWRNORM | POLLWRBAND);
}

#endif
