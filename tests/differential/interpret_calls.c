/*
 * interpret_calls.c - signals, child processes, messages and descriptors.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interpret.h"

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* ---- signals ----
 * They are blocked, except when they are to be taken: they never come by surprise. The handler
 * carries out the operations that are in it. */

static const int numbers[SIGNALS] = {SIGUSR1, SIGUSR2};
static _Thread_local int taken;

static void handler(int number)
{
    must(number == taken);
    taken = 0;
    pass_turn();
    carry_on();
}

static void set_handler(unsigned signal)
{
    struct sigaction action = {.sa_handler = handler};
    sigfillset(&action.sa_mask);
    must(sigaction(numbers[signal], &action, NULL) == 0);
}

static void send_signal(const struct operation *operation)
{
    pthread_t to = handle_of(operation->object);
    int number = numbers[operation->signal];
    switch ((enum sending)operation->way) {
    case BY_KILL:
        must(pthread_kill(to, number) == 0);
        break;
    case BY_QUEUE:
        must(pthread_sigqueue(to, number, (union sigval){.sival_int = 1}) == 0);
        break;
    default: /* BY_TGKILL */
        must(tgkill(getpid(), id_of(operation->object), number) == 0);
    }
}

/* Returns after the handler, with the signal blocked again: only then it may be sent again. */
static void take_signal(const struct operation *operation)
{
    sigset_t set;
    taken = numbers[operation->signal];
    if (operation->way == BY_SUSPENSION) {
        sigfillset(&set);
        sigdelset(&set, taken);
        must(sigsuspend(&set) == -1 && errno == EINTR);
    } else {
        sigemptyset(&set);
        sigaddset(&set, taken);
        must(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
        must(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    }
    must(!taken);
}

static void accept_signal(const struct operation *operation)
{
    const struct timespec now = {0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, numbers[operation->signal]);
    must(sigtimedwait(&set, NULL, &now) == numbers[operation->signal]);
}

static void block_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (unsigned signal = 0; signal < SIGNALS; signal++)
        sigaddset(&set, numbers[signal]);
    must(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
}

/* ---- child processes ---- */

static pid_t children[CHILDREN];

static void fork_child(const struct operation *operation)
{
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        write_all_pools(operation->flag);
        exit(0); /* with status 66 if it had races */
    }
    turn_peek(&children[operation->object], &child, sizeof child);
}

static void wait_for(unsigned number)
{
    int status;
    pid_t child;
    turn_peek(&child, &children[number], sizeof child);
    must(waitpid(child, &status, 0) == child && status == 0);
}

/* ---- messages ---- */

static int input[CHANNELS], output[CHANNELS];

static void make_channel(enum channel channel)
{
    int ends[2];
    if (channel <= PIPE_TOO)
        must(pipe(ends) == 0);
    else if (channel <= SOCKETS_TOO)
        must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    else
        must((ends[0] = ends[1] = eventfd(0, 0)) >= 0);
    input[channel] = ends[0];
    output[channel] = ends[1];
}

static void write_message(unsigned channel)
{
    const uint64_t one = 1;
    ssize_t size = channel == COUNTER ? sizeof one : 1;
    must(write(output[channel], &one, (size_t)size) == size);
}

static void read_message(unsigned channel)
{
    uint64_t got = 0;
    ssize_t size = channel == COUNTER ? sizeof got : 1;
    must(read(input[channel], &got, (size_t)size) == size);
}

/* ---- descriptors ----
 * Each has calls of its own: a race is known by its two places. */

static int null;

#define DESCRIPTOR(name, number)                                                                   \
    static __attribute__((noinline)) bool name(const struct operation *operation)                  \
    {                                                                                              \
        int copy;                                                                                  \
        if (operation->kind == CLOSE)                                                              \
            return close(number) == 0 || errno == EBADF;                                           \
        if (operation->kind == REPLACE)                                                            \
            return dup2(null, number) == number;                                                   \
        if (operation->way == BY_WRITE)                                                            \
            return (write(number, "", 1) == 1) == !operation->flag;                                \
        if (operation->way == BY_FCNTL)                                                            \
            return (fcntl(number, F_GETFL) >= 0) == !operation->flag;                              \
        copy = dup(number);                                                                        \
        return operation->flag ? copy < 0 : close(copy) == 0;                                      \
    }
DESCRIPTOR(descriptor_a, FIRST_DESCRIPTOR)
DESCRIPTOR(descriptor_b, FIRST_DESCRIPTOR + 1)

static void access_descriptor(const struct operation *operation)
{
    must(operation->object ? descriptor_b(operation) : descriptor_a(operation));
}

/* ---- */

void open_channels(void)
{
    block_signals();
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        make_channel((enum channel)channel);
    null = open("/dev/null", O_WRONLY);
    must(null >= 0);
    for (unsigned descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        access_descriptor(&(struct operation){.kind = REPLACE, .object = (uint8_t)descriptor});
}

void call(const struct operation *operation)
{
    switch (operation->kind) {
    case HANDLE:
        set_handler(operation->signal);
        break;
    case SEND:
        send_signal(operation);
        break;
    case TAKE:
        take_signal(operation);
        break;
    case ACCEPT:
        accept_signal(operation);
        break;
    case FORK:
        fork_child(operation);
        break;
    case WAIT:
        wait_for(operation->object);
        break;
    case WRITE_MESSAGE:
        write_message(operation->object);
        break;
    case READ_MESSAGE:
        read_message(operation->object);
        break;
    default: /* USE_DESCRIPTOR, CLOSE, REPLACE */
        access_descriptor(operation);
    }
}
