/*
 * many_threads [race|none [ROUNDS]] - twenty thousand threads, two thousand of them alive at once.
 * With an argument there are fewer; with `race` the first and the last of each round race.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 2000, ROUNDS = 10, FEWER_ROUNDS = 2 };

int stray;
static int own[AT_ONCE], racing, leave;
static unsigned long alive, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *visit(void *argument)
{
    int *mine = argument;
    *mine += 1;
    if (racing && (mine == own || mine == own + AT_ONCE - 1))
        stray = 1;
    pthread_mutex_lock(&lock);
    total++;
    if (++alive == AT_ONCE)
        pthread_cond_broadcast(&changed);
    while (!leave)
        pthread_cond_wait(&changed, &lock);
    alive--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void play_round(const pthread_attr_t *small)
{
    static pthread_t threads[AT_ONCE];
    leave = 0;
    for (int i = 0; i < AT_ONCE; i++)
        if (pthread_create(&threads[i], small, visit, &own[i]) != 0)
            abort();
    pthread_mutex_lock(&lock);
    while (alive < AT_ONCE)
        pthread_cond_wait(&changed, &lock);
    leave = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    pthread_attr_t small;
    int rounds = argc > 2 ? atoi(argv[2]) : argc > 1 ? FEWER_ROUNDS : ROUNDS;
    racing = argc > 1 && strcmp(argv[1], "race") == 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (int i = 0; i < rounds; i++)
        play_round(&small);
    for (int i = 0; i < AT_ONCE; i++)
        assert(own[i] == rounds);
    assert(total == (unsigned long)AT_ONCE * rounds);
    return 0;
}
