/*
 * The message in the pipe is sent before the data is written: it orders nothing.
 *
 * hunt: data destructive sc
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int data, ends[2];

static void *receive(void *arg)
{
    char byte;
    if (read(ends[0], &byte, 1) != 1 || data != 1)
        abort();
    return arg;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends) != 0)
        return 2;
    pthread_create(&thread, NULL, receive, NULL);
    dprintf(ends[1], "1\n");
    data = 1;
    pthread_join(thread, NULL);
    return 0;
}
