/* A racy variable that harms nothing, and so many states that verify takes a tenth of a second and
   more to prove it, which is within what a hunt lets it explore. */
#include <pthread.h>
#include <stdatomic.h>

static int ready;
static atomic_int order;

static void *count(void *turns)
{
    for (int i = 0; i < *(int *)turns; i++)
        atomic_fetch_add(&order, 1);
    return turns;
}

static void *produce(void *turns)
{
    ready = 1;
    return count(turns);
}

static void *consume(void *turns)
{
    if (ready)
        return turns;
    return count(turns);
}

int main(void)
{
    static void *(*const bodies[])(void *) = {produce, consume, count};
    static int turns[] = {3, 3, 2};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], &turns[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
