// race: file descriptor 60, file descriptor 61, file descriptor 63, file descriptor 64
/* Descriptors that one thread uses and another closes, or replaces: a file that is written, the end
   of a pipe that is read, one that is copied, one that is closed when it is used. */
#include "../race.h"
#include <fcntl.h>

static int file, ends[2], copied, closed;

static void *uses(void *unused)
{
    char byte;
    if (write(file, "x", 1) != 1 || read(ends[0], &byte, 1) != 1)
        abort();
    close(dup(copied));
    done(0);
    after(1);
    if (write(closed, "x", 1) != -1)
        abort();
    return unused;
}

static void *closes(void *unused)
{
    after(0);
    close(file);
    close(ends[0]);
    dup2(ends[1], copied);
    close(closed);
    done(1);
    return unused;
}

/* Whatever descriptors the program was started with. */
static int as(int number, int fd)
{
    if (dup2(fd, number) != number || close(fd) != 0)
        abort();
    return number;
}

int main(void)
{
    if (pipe(ends) != 0)
        abort();
    file = as(60, open("/dev/null", O_WRONLY));
    ends[0] = as(61, ends[0]);
    ends[1] = as(62, ends[1]);
    copied = as(63, open("/dev/null", O_WRONLY));
    closed = as(64, open("/dev/null", O_WRONLY));
    if (write(ends[1], "x", 1) != 1)
        abort();
    run(uses, closes);
    return 0;
}
