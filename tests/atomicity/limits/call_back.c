/*
 * What a library calls back is a unit of its own.
 *
 * expect: set=price unit=is_affordable pattern=2
 *
 * lfind() asks is_affordable() for each offer. Twice in one call the price must be the same; from
 * one call to the next it may change, and in the twin that is all it can do.
 */
#include "../program.h"

#include <search.h>

struct price {
    pthread_mutex_t lock;
    int limit;
};

static struct price price = {MONITOR, 1};

static int limit(void)
{
    pthread_mutex_lock(&price.lock);
    int value = price.limit;
    pthread_mutex_unlock(&price.lock);
    return value;
}

static int is_affordable(const void *key, const void *element)
{
    const struct price *of = key;
    const int *offer = element;

#ifdef REPAIRED
    return of == &price && *offer <= limit() ? 0 : 1;
#else
    return of == &price && *offer <= limit() && limit() <= *offer ? 0 : 1;
#endif
}

/* Gets the set, so it would be the unit of both calls if they were its own. */
bool price_finds_offer(struct price *of)
{
    static const int offers[] = {1, 1, 1};
    size_t count = COUNT(offers);

    return lfind(of, offers, &count, sizeof offers[0], is_affordable) != NULL;
}

void price_set(struct price *of, int value)
{
    pthread_mutex_lock(&of->lock);
    of->limit = value;
    pthread_mutex_unlock(&of->lock);
}

static void *find(void *arg)
{
    for (int i = 0; i < 2; i++)
        price_finds_offer(arg);
    return NULL;
}

static void *change(void *arg)
{
    for (int i = 0; i < 4; i++)
        price_set(arg, i % 2);
    return NULL;
}

int main(void)
{
    struct job jobs[] = {{find, &price}, {change, &price}};

    run_jobs(jobs, COUNT(jobs));
    return 0;
}
