/*
 * bubbleSort: two threads sort one array whose every access is locked, a swap is not.
 *
 * expect: set=array unit=array_order pattern=1,9,11
 *
 * A value that moves while another thread is about to swap it is lost, or there twice. All
 * values are different, so a thread that finds two alike has met a swap half done.
 */
#include "../program.h"

#define VALUES 4

struct array {
    pthread_mutex_t lock;
    int values[VALUES];
};

struct sorter {
    struct array *array;
    int doubles;
};

int array_get(struct array *array, int i)
{
    pthread_mutex_lock(&array->lock);
    int value = array->values[i];
    pthread_mutex_unlock(&array->lock);
    return value;
}

void array_set(struct array *array, int i, int value)
{
    pthread_mutex_lock(&array->lock);
    array->values[i] = value;
    pthread_mutex_unlock(&array->lock);
}

/* False if the two were alike. */
bool array_order(struct array *array, int i)
{
    repair_lock(&array->lock);
    int left = array_get(array, i), right = array_get(array, i + 1);
    if (left > right) {
        array_set(array, i, right);
        array_set(array, i + 1, left);
    }
    repair_unlock(&array->lock);
    return left != right;
}

bool array_has(struct array *array, int value)
{
    int i = 0;

    while (i < VALUES && array_get(array, i) != value)
        i++;
    return i < VALUES;
}

static void *sort(void *arg)
{
    struct sorter *me = arg;

    for (int pass = 0; pass < VALUES - 1; pass++)
        for (int i = 0; i < VALUES - 1; i++)
            if (!array_order(me->array, i))
                me->doubles++;
    return NULL;
}

static struct array array = {.lock = MONITOR, .values = {4, 3, 2, 1}};
static struct sorter sorters[] = {{&array, 0}, {&array, 0}};

int main(void)
{
    struct job jobs[] = {{sort, &sorters[0]}, {sort, &sorters[1]}};

    run_jobs(jobs, COUNT(jobs));
    assert(sorters[0].doubles + sorters[1].doubles == 0);
    for (int value = 1; value <= VALUES; value++)
        assert(array_has(&array, value));
    return 0;
}
