/*
 * avrora9, Transmission.lastBit: where a radio transmission ends, far away until it has ended.
 * Who asks which transmissions are in the air at some bit reads it racily, and gets a wrong list
 * from an old end as well as from one that is not set yet.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#include "phase.h"

typedef struct {
    long first_bit, last_bit;
} Transmission;
static Transmission transmissions[] = {{0, LONG_MAX}, {40, LONG_MAX}};
static pthread_mutex_t medium = PTHREAD_MUTEX_INITIALIZER;

static int count_intersecting(long bit)
{
    int n = 0;

    pthread_mutex_lock(&medium);
    for (int i = 0; i < 2; i++)
        if (bit >= transmissions[i].first_bit && bit < transmissions[i].last_bit)
            n++;
    pthread_mutex_unlock(&medium);
    return n;
}

static void *receive(void *arg)
{
    int *found = arg;

    found[0] = count_intersecting(90);
    begin_phase(1);
    await_phase(2);
    found[1] = count_intersecting(90);
    return NULL;
}

static void *send(void *arg)
{
    await_phase(1);
    transmissions[0].last_bit = 80;
    transmissions[1].last_bit = 120;
    begin_phase(2);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    int found[2];

    pthread_create(&threads[0], NULL, receive, found);
    pthread_create(&threads[1], NULL, send, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d, then %d in the air\n", found[0], found[1]);
    return 0;
}
