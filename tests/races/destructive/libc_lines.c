// race: events, given[], part, room, sorted[]
/* Lines that one thread has read, an array that it has sorted, a number that it has taken from an
   event descriptor, when another uses them. */
#define _GNU_SOURCE
#include "../race.h"
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>

char *part;
char given[64];
size_t room = sizeof given;
int sorted[4] = {3, 1, 2, 0};
eventfd_t events;
static FILE *file;
static int fd;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *a(void *unused)
{
    char *to = given;
    size_t part_room = 0;
    rewind(file);
    if (getline(&to, &room, file) != 4 || getdelim(&part, &part_room, ' ', file) != 4)
        abort();
    qsort(sorted, 4, sizeof *sorted, compare);
    if (eventfd_read(fd, &events) != 0)
        abort();
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    USE(given[0]);
    USE(part);
    USE(sorted[3]);
    USE(events);
    room = 0;
    return unused;
}

int main(void)
{
    file = tmpfile();
    fd = eventfd(1, 0);
    if (!file || fd < 0 || fputs("one\ntwo three\n", file) < 0)
        abort();
    run(a, b);
    return 0;
}
