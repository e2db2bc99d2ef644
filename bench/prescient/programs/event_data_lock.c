/*
 * pjbb2005, DomNode.eventDataLock: an event object that is reused, guarded by a flag that is
 * taken under a lock and given back without one. Seen free while it is not, the flag lets two
 * threads use the object at once.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int target, visited;
} Event;
enum { THREADS = 3, NODES = 2, ROUNDS = 2 };
static int event_data_lock;
static Event shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int corrupted[THREADS];

static void dispatch(Event *event, int target)
{
    event->target = target;
    event->visited = 0;
    for (int i = 0; i < NODES; i++)
        event->visited++;
    if (event->target != target || event->visited != NODES)
        corrupted[target]++;
}

static void insertion_event(int target)
{
    Event *event = NULL;

    pthread_mutex_lock(&lock);
    if (!event_data_lock) {
        event_data_lock = 1;
        event = &shared;
    }
    pthread_mutex_unlock(&lock);
    if (event) {
        dispatch(event, target);
        event_data_lock = 0;
        return;
    }
    event = malloc(sizeof *event);
    dispatch(event, target);
    free(event);
}

static void *insert(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        insertion_event((int)((int *)arg - corrupted));
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int sum = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, insert, &corrupted[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += corrupted[i];
    }
    printf("%d corrupted\n", sum);
    return 0;
}
