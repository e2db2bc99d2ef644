// no race
/* What a thread does before pthread_cancel comes before the cleanup handlers and the destructors of
   the threads that it cancels, and before what those make other threads do. */
#include "../race.h"
#include <semaphore.h>
#include <stdatomic.h>

enum { READS, DESTROYS, POSTS, STORES, ENDS };
int x[ENDS + 1];
static pthread_key_t key;
static sem_t cleaned;
static atomic_int told;
static pthread_t cancelled[ENDS + 1];

static void clean(void *way)
{
    switch ((long)way) {
    case READS:
        USE(x[READS]);
        break;
    case POSTS:
        sem_post(&cleaned);
        break;
    case STORES:
        atomic_store_explicit(&told, 1, memory_order_release);
        break;
    }
}

static void destroy(void *way)
{
    if ((long)way == DESTROYS)
        USE(x[DESTROYS]);
}

static void *sleep_for_ever(void *way)
{
    pthread_setspecific(key, way);
    pthread_cleanup_push(clean, way);
    done((int)(long)way);
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return way;
}

static void *a(void *unused)
{
    for (int way = 0; way <= ENDS; way++) {
        after(way);
        x[way] = 1;
        pthread_cancel(cancelled[way]);
    }
    return unused;
}

static void *b(void *unused)
{
    sem_wait(&cleaned);
    USE(x[POSTS]);
    while (!atomic_load_explicit(&told, memory_order_acquire))
        sched_yield();
    USE(x[STORES]);
    pthread_join(cancelled[ENDS], NULL);
    USE(x[ENDS]);
    return unused;
}

int main(void)
{
    sem_init(&cleaned, 0, 0);
    pthread_key_create(&key, destroy);
    for (long way = 0; way <= ENDS; way++)
        pthread_create(&cancelled[way], NULL, sleep_for_ever, (void *)way);
    run(a, b);
    for (int way = 0; way < ENDS; way++)
        pthread_join(cancelled[way], NULL);
    return 0;
}
