/*
 * Each element of an array of structs is a set of its own, here on the heap.
 *
 * expect: set=slot unit=slots_move pattern=9,10,11,12
 *
 * A unit that takes from one element and gives to the same one must be atomic. In the twin it
 * gives to the next: two sets, each changed in one step, and what is between is nobody's harm.
 */
#include "../program.h"

struct slot {
    int given, taken;
};

static pthread_mutex_t lock = MONITOR;

#ifdef REPAIRED
enum { OTHER = 1 };
#else
enum { OTHER = 0 };
#endif

void slots_move(struct slot *slots)
{
    pthread_mutex_lock(&lock);
    slots[0].taken = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    slots[OTHER].given = 1;
    pthread_mutex_unlock(&lock);
}

int slots_sum(const struct slot *slots)
{
    pthread_mutex_lock(&lock);
    int sum = slots[OTHER].given - slots[0].taken;
    pthread_mutex_unlock(&lock);
    return sum;
}

static struct slot *slots;

static void *move(void *arg)
{
    slots_move(arg);
    return NULL;
}

static void *look(void *arg)
{
    return slots_sum(arg) == 0 ? arg : NULL;
}

int main(void)
{
    slots = calloc(2, sizeof(*slots));
    assert(slots);
    struct job jobs[] = {{move, slots}, {look, slots}};

    run_jobs(jobs, COUNT(jobs));
    free(slots);
    return 0;
}
