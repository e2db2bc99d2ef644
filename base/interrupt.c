#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static int event_fd = -1;
static volatile sig_atomic_t came;

static void on_signal(int number)
{
    uint64_t one = 1;
    came = number;
    /* A failure can be ignored: every loop also tests `came`. */
    (void)!write(event_fd, &one, sizeof one);
}

void sm_interrupt_catch(void)
{
    if (event_fd >= 0)
        return;
    event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        sigaction(signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup: keep ignoring it */
            sigaction(signals[i], &action, NULL);
    }
}

int sm_interrupt_fd(void)
{
    return event_fd;
}

int sm_interrupt_signal(void)
{
    return came;
}

void sm_interrupt_finish(void)
{
    if (!came)
        return;
    signal(came, SIG_DFL);
    raise(came);
}
