/*
 * What is atomic by itself is no part of a set.
 *
 * expect: set=server unit=server_serve pattern=1,2,3,4,5
 *
 * Two counters are counted up and down by every unit. As plain integers that is a bug; in the
 * twin they are atomic, and meant to be seen at any time.
 */
#include "../program.h"

#include <stdatomic.h>

#ifdef REPAIRED
typedef atomic_int counter;
#else
typedef int counter;
#endif

struct server {
    counter busy, served;
};

void server_serve(struct server *server)
{
    server->busy++;
    server->served++;
    server->busy--;
}

static struct server server;

static void *serve(void *unused)
{
    for (int i = 0; i < 2; i++)
        server_serve(&server);
    return unused;
}

int server_served(struct server *of)
{
    return of->served;
}

int main(void)
{
    struct job jobs[] = {{serve, NULL}, {serve, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(server_served(&server) == 4);
    return 0;
}
