// race: file descriptor 4, file descriptor 5, file descriptor 7, file descriptor 8
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

int main(void)
{
    file = open("/dev/null", O_WRONLY); /* 4: race.h has 3 */
    if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
        abort();
    copied = open("/dev/null", O_WRONLY);
    closed = open("/dev/null", O_WRONLY);
    run(uses, closes);
    return 0;
}
