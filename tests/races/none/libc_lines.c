// no race
/* Behind a line nothing is stored, at the end of a file no line is, and where there is room the
   pointer to it stays; one element is not sorted; a call that fails stores nothing. */
#define _GNU_SOURCE
#include "../race.h"
#include <stdio.h>
#include <sys/eventfd.h>

char given[64], kept[64];
int sorted[4] = {3, 1, 2, 0};
eventfd_t events;
char *to = given, *last = kept;
size_t room = sizeof given, last_room = sizeof kept;
static FILE *file;
static int fd;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *a(void *unused)
{
    rewind(file);
    if (getline(&to, &room, file) != 4 || getdelim(&last, &last_room, '\n', file) != -1)
        abort();
    qsort(sorted, 1, sizeof *sorted, compare);
    qsort(sorted + 1, 2, sizeof *sorted, compare);
    if (eventfd_read(fd, &events) == 0)
        abort();
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    given[5] = kept[1] = 'x';
    sorted[0] = sorted[3] = 1;
    events = 1;
    USE(room);
    USE(to);
    return unused;
}

int main(void)
{
    file = tmpfile();
    fd = eventfd(0, EFD_NONBLOCK);
    if (!file || fd < 0 || fputs("one\n", file) < 0)
        abort();
    run(a, b);
    return 0;
}
