/*
 * pjbb2000, Company.mode: the terminal records its times only while the company does. Seen before
 * it is set, RECORDING spoils the statistics; a stale mode keeps the terminal from stopping.
 */
#include <pthread.h>
#include <stdio.h>

#include "phase.h"

enum { RAMP_UP, RECORDING, STOP, TRANSACTIONS = 3 };
static int mode;
static int recorded;

static void transact(void)
{
    for (int i = 0; i < TRANSACTIONS; i++)
        if (mode == RECORDING)
            recorded++;
}

static void *terminal(void *arg)
{
    transact();
    begin_phase(1);
    await_phase(2);
    while (mode != STOP)
        sched_yield();
    transact();
    return arg;
}

static void *company(void *arg)
{
    await_phase(1);
    mode = RECORDING;
    begin_phase(2);
    mode = STOP;
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, terminal, NULL);
    pthread_create(&threads[1], NULL, company, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d recorded\n", recorded);
    return 0;
}
