/*
 * A thread that reads a line from a pipe lets the thread run that writes it, in pieces. TWIN:
 * nobody writes, and the thread that reads can never go on.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg)
{
#ifndef TWIN
    if (write(ends[1], "one ", 4) != 4 || write(ends[1], "line\nthe ", 9) != 9 ||
        write(ends[1], "rest\nxyz", 8) != 8)
        abort();
#endif
    return arg;
}

int main(void)
{
    char text[64], *line = NULL;
    size_t room = 0;
    pthread_t thread;
    if (pipe(ends) != 0)
        return 2;
    FILE *stream = fdopen(ends[0], "r");
    pthread_create(&thread, NULL, writer, NULL);
    if (!fgets(text, sizeof text, stream) || strcmp(text, "one line\n") != 0)
        return 3;
    if (getline(&line, &room, stream) != 9 || strcmp(line, "the rest\n") != 0)
        return 4;
    if (fgetc(stream) != 'x' || fread(text, 1, 2, stream) != 2 || memcmp(text, "yz", 2) != 0)
        return 5;
    pthread_join(thread, NULL);
    stream = popen("echo said", "r");
    if (!stream || !fgets(text, sizeof text, stream) || strcmp(text, "said\n") != 0)
        return 6;
    free(line);
    return pclose(stream);
}
