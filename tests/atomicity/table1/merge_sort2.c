/*
 * MergeSort2: sorters take their parts of the array by a counter that all of them count up.
 *
 * expect: set=merge_sort2.c unit=next_part pattern=1,2,4
 *
 * Reading and writing the counter are locked, counting is not: two sorters get the same part,
 * and another part is never sorted.
 */
#include "../program.h"

#define PARTS 3

static pthread_mutex_t lock = MONITOR;
static int counter;

int next_part(void)
{
    repair_lock(&lock);
    pthread_mutex_lock(&lock);
    int next = counter + 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter = next;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int part = counter - 1;
    pthread_mutex_unlock(&lock);
    repair_unlock(&lock);
    return part;
}

struct part {
    pthread_mutex_t lock;
    int low, high;
};

void part_sort(struct part *part)
{
    pthread_mutex_lock(&part->lock);
    if (part->low > part->high) {
        int low = part->low;
        part->low = part->high;
        part->high = low;
    }
    pthread_mutex_unlock(&part->lock);
}

bool part_is_sorted(struct part *part)
{
    return part->low <= part->high;
}

static void *sort(void *arg)
{
    struct part *parts = arg;

    part_sort(&parts[next_part()]);
    return NULL;
}

static struct part parts[PARTS] = {{MONITOR, 2, 1}, {MONITOR, 4, 3}, {MONITOR, 6, 5}};

int main(void)
{
    struct job jobs[PARTS] = {{sort, parts}, {sort, parts}, {sort, parts}};

    run_jobs(jobs, PARTS);
    for (int i = 0; i < PARTS; i++)
        assert(part_is_sorted(&parts[i]));
    return 0;
}
