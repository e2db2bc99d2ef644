/*
 * pjbb2005, DomEvent.stop: the event of event_data_lock.c carries a flag by which a listener ends
 * the traversal. The object goes from thread to thread by a racy flag, so that one that starts
 * afresh may still see the stop of the user before.
 */
#include <pthread.h>
#include <stdio.h>

#include "phase.h"

enum { NODES = 4 };
typedef struct {
    int stop;
} Event;
static Event event;
static int visited[2];

static void dispatch(int *count, int last)
{
    event.stop = 0;
    for (int i = 0; i < NODES && !event.stop; i++) {
        ++*count;
        if (i == last)
            event.stop = 1;
    }
}

static void *first(void *arg)
{
    dispatch(&visited[0], 1);
    begin_phase(1);
    return arg;
}

static void *second(void *arg)
{
    await_phase(1);
    dispatch(&visited[1], NODES);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("visited %d and %d\n", visited[0], visited[1]);
    return 0;
}
