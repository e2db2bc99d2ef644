/*
 * AllocationVector: a free block is looked for under the lock, and marked under the lock.
 *
 * expect: set=vector unit=tester_allocate pattern=1,2
 *
 * In between, another thread finds the same block. The unit of work is the caller's, who is no
 * part of the vector: the paper's defaults do not see it.
 */
#include "../program.h"

#define BLOCKS 6

struct vector {
    pthread_mutex_t lock;
    bool taken[BLOCKS];
};

struct tester {
    struct vector *vector;
    int clashes;
};

int vector_find_free(struct vector *vector)
{
    int block = 0;

    pthread_mutex_lock(&vector->lock);
    while (vector->taken[block])
        block++;
    pthread_mutex_unlock(&vector->lock);
    return block;
}

/* False if the block was taken already. */
bool vector_mark(struct vector *vector, int block)
{
    pthread_mutex_lock(&vector->lock);
    bool was_free = !vector->taken[block];
    vector->taken[block] = true;
    pthread_mutex_unlock(&vector->lock);
    return was_free;
}

void tester_allocate(struct tester *me, struct vector *vector)
{
    repair_lock(&vector->lock);
    if (!vector_mark(vector, vector_find_free(vector)))
        me->clashes++;
    repair_unlock(&vector->lock);
}

static void *allocate(void *arg)
{
    struct tester *me = arg;

    for (int i = 0; i < BLOCKS / 3; i++)
        tester_allocate(me, me->vector);
    return NULL;
}

static struct vector vector = {.lock = MONITOR};
static struct tester testers[] = {{&vector, 0}, {&vector, 0}, {&vector, 0}};

int main(void)
{
    struct job jobs[] = {{allocate, &testers[0]}, {allocate, &testers[1]}, {allocate, &testers[2]}};

    run_jobs(jobs, COUNT(jobs));
    assert(testers[0].clashes + testers[1].clashes + testers[2].clashes == 0);
    return 0;
}
