// race: text
// models: sc tso pso c11
// getline() stores the line when another thread reads it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static char text[64];
static int first;
static FILE *file;

static void *get(void *unused)
{
    char *line = text;
    size_t room = sizeof text;
    getline(&line, &room, file);
    return unused;
}

static void *look(void *unused)
{
    first = text[0];
    return unused;
}

int main(void)
{
    pthread_t one, two;
    file = fopen("/etc/passwd", "r");
    pthread_create(&one, NULL, get, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
