// no race
/* Descriptors that the last user closes; a number that is used again, also by libc itself, is
   another descriptor. */
#include "../race.h"
#include <fcntl.h>
#include <stdio.h>

static int file, ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;

static void *uses(void *unused)
{
    if (write(file, "x", 1) != 1)
        abort();
    pthread_mutex_lock(&mutex);
    int last = --users == 0;
    pthread_mutex_unlock(&mutex);
    if (last)
        close(file);
    return unused;
}

/* What comes through the pipe orders the end of the reader's descriptor. */
static void *reads(void *unused)
{
    char byte;
    if (read(ends[0], &byte, 1) != 1 || read(ends[0], &byte, 1) != 0)
        abort();
    close(ends[0]);
    return unused;
}

static void *writes(void *unused)
{
    if (write(ends[1], "x", 1) != 1)
        abort();
    close(ends[1]);
    return unused;
}

/* Each opens the number that the other has closed; the kernel orders that, and nobody sees it. */
static void *opens(void *unused)
{
    for (int i = 0; i < 20; i++) {
        int own = open("/dev/null", O_WRONLY);
        FILE *stream = fopen("/dev/null", "w");
        if (own < 0 || !stream || write(own, "x", 1) != 1)
            abort();
        close(own);
        fclose(stream);
    }
    return unused;
}

int main(void)
{
    file = open("/dev/null", O_WRONLY);
    run(uses, uses);
    if (pipe(ends) != 0)
        abort();
    run(reads, writes);
    run(opens, opens);
    return 0;
}
