// race: x
/* A post to another semaphore. */
#include "../race.h"
#include <semaphore.h>

int x;
static sem_t sem, other;

static void *a(void *unused)
{
    x = 1;
    sem_post(&other);
    done(0);
    return unused;
}

static void *b(void *unused)
{
    after(0);
    sem_wait(&sem);
    x = 2;
    return unused;
}

int main(void)
{
    sem_init(&sem, 0, 1);
    sem_init(&other, 0, 0);
    run(a, b);
    return 0;
}
