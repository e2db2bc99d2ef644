/* minimap2's kthread.c: kt_for with work stealing, and a pipeline of two steps. */
#include <assert.h>
#include <stddef.h>

#include "kthread.h"

enum { N = 12, STEPS = 3 };

static int times[N];
static int made, sum;

static void mark(void *data, long i, int thread)
{
    (void)data;
    (void)thread;
    times[i]++;
}

static void *step(void *shared, int number, void *item)
{
    static int values[STEPS];
    (void)shared;
    if (number == 0) {
        if (made == STEPS)
            return NULL;
        values[made] = made + 1;
        return &values[made++];
    }
    sum += *(int *)item;
    return NULL;
}

int main(void)
{
    kt_for(3, mark, NULL, N);
    for (int i = 0; i < N; i++)
        assert(times[i] == 1);
    kt_pipeline(2, step, NULL, 2);
    assert(sum == 6);
    return 0;
}
