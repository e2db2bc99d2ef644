/*
 * BubbleSort2: threads sort overlapping parts of one array, and nothing is locked.
 *
 * expect: set=bubble_sort2.c unit=order pattern=1,2,9,11,12,13
 *
 * As bubbleSort, with the array in a variable of the file and each value read again for the
 * swap: what was compared need not be what is swapped.
 */
#include "../program.h"

#define VALUES 4

static pthread_mutex_t lock = MONITOR;
static int values[VALUES] = {4, 3, 2, 1};

void order(int i)
{
    repair_lock(&lock);
    if (values[i] > values[i + 1]) {
        int left = values[i];
        values[i] = values[i + 1];
        values[i + 1] = left;
    }
    repair_unlock(&lock);
}

bool is_sorted(void)
{
    for (int i = 0; i < VALUES; i++)
        if (values[i] != i + 1)
            return false;
    return true;
}

static void *sort(void *unused)
{
    for (int pass = 0; pass < VALUES - 1; pass++)
        for (int i = 0; i < VALUES - 1; i++)
            order(i);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{sort, NULL}, {sort, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(is_sorted());
    return 0;
}
