// race: late[]
/* The data is written after the message that says it is there. */
#define _GNU_SOURCE
#include "../race.h"

#include <fcntl.h>
#include <stdio.h>

enum { PRINTED, SPLICED, LINE, WAYS };

int late[WAYS];
static int ends[WAYS][2], more[2];

static void require(int holds)
{
    if (!holds)
        abort();
}

static void put(int way, int to)
{
    FILE *stream = fdopen(to, "w");
    if (way == PRINTED) {
        setlinebuf(stream);
        require(fprintf(stream, "%d\n", 1) == 2);
    } else {
        require(write(to, "1\n", 2) == 2);
    }
}

static void get(int way, int from)
{
    char byte, *line = NULL;
    size_t room = 0;
    if (way == SPLICED)
        require(splice(from, NULL, more[1], NULL, 1, 0) == 1 && read(more[0], &byte, 1) == 1);
    else if (way == LINE)
        require(getline(&line, &room, fdopen(from, "r")) == 2);
    else
        require(read(from, &byte, 1) == 1);
}

static void *a(void *unused)
{
    for (int way = 0; way < WAYS; way++)
        put(way, ends[way][1]);
    for (int way = 0; way < WAYS; way++)
        late[way] = 1;
    done(0);
    return unused;
}

static void *b(void *unused)
{
    for (int way = 0; way < WAYS; way++)
        get(way, ends[way][0]);
    after(0);
    for (int way = 0; way < WAYS; way++)
        late[way]++;
    return unused;
}

int main(void)
{
    require(pipe(more) == 0);
    for (int way = 0; way < WAYS; way++)
        require(pipe(ends[way]) == 0);
    run(a, b);
    return 0;
}
