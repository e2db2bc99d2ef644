#include "target/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/interrupt.h"

enum { LONGEST_INPUT = 256 << 20, PATIENCE_MS = 2000 };

/* The program must not be able to change its own input. */
static int reopen_read_only(int fd)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int sm_input_from(const struct sm_buffer *bytes, struct sm_error *error)
{
    int file = memfd_create("stdin", MFD_CLOEXEC);
    size_t done = 0;
    while (file >= 0 && done < bytes->size) {
        ssize_t written = write(file, bytes->data + done, bytes->size - done);
        if (written < 0)
            break;
        done += (size_t)written;
    }
    int fd = file >= 0 && done == bytes->size ? reopen_read_only(file) : -1;
    if (fd < 0)
        sm_fail(error, SM_STATUS_TARGET, "cannot keep the standard input: %s", strerror(errno));
    if (file >= 0)
        close(file);
    return fd;
}

/* A pipe that stays open looks like a hang; say what we wait for. */
static bool wait_for_more(int fd, bool *told)
{
    struct pollfd files[2] = {{.fd = fd, .events = POLLIN},
                              {.fd = sm_interrupt_fd(), .events = POLLIN}};
    while (!sm_interrupt_signal()) {
        int ready = poll(files, 2, *told ? -1 : PATIENCE_MS);
        if (ready > 0 && files[0].revents)
            return true;
        if (ready == 0) {
            fputs("stalemate: waiting for the end of standard input, which the program is to "
                  "get; if it needs none, add: </dev/null\n",
                  stderr);
            *told = true;
        }
    }
    return false;
}

int sm_input_spool(int fd, struct sm_error *error)
{
    struct sm_buffer bytes = {0};
    char *chunk = sm_new(1 << 16);
    bool told = false;
    ssize_t got = 0;
    int spooled = -1;
    while (!isatty(fd) && bytes.size <= LONGEST_INPUT && wait_for_more(fd, &told) &&
           (got = read(fd, chunk, 1 << 16)) > 0)
        sm_buffer_add(&bytes, chunk, (size_t)got);
    free(chunk);
    if (sm_interrupt_signal())
        sm_fail(error, SM_STATUS_TARGET, "interrupted");
    else if (got < 0 && errno != EBADF) /* a closed standard input is an empty one */
        sm_fail(error, SM_STATUS_USAGE, "standard input: %s", strerror(errno));
    else if (bytes.size > LONGEST_INPUT)
        sm_fail(error, SM_STATUS_USAGE,
                "standard input is longer than %d MiB; let the program read a file instead",
                LONGEST_INPUT >> 20);
    else
        spooled = sm_input_from(&bytes, error);
    sm_buffer_free(&bytes);
    return spooled;
}
