/* Ends as its argument says, while a thread runs beside. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int started;

static void *run(void *how)
{
    atomic_store(&started, 1);
    if (strcmp(how, "crash") == 0)
        *(volatile int *)NULL = 1;
    if (strcmp(how, "abort") == 0)
        abort();
    while (strcmp(how, "hang") == 0)
        sleep(1);
    while (strcmp(how, "spin") == 0)
        ;
    while (strcmp(how, "count") == 0)
        atomic_fetch_add(&started, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    pthread_create(&thread, NULL, run, argc > 1 ? argv[1] : "");
    pthread_join(thread, NULL);
    if (argc > 1 && strcmp(argv[1], "seven") == 0) {
        fprintf(stderr, "seven\n");
        return 7;
    }
    return 0;
}
