/*
 * MergeSort: a sorter asks whether a helper is free, and then hires one.
 *
 * expect: set=helpers unit=sorter_hire pattern=1,2
 *
 * Asking and hiring are locked, each by itself: two sorters hire the last one. The unit of work
 * is the sorter's, not a method of the object it works on: the paper's defaults do not see it.
 */
#include "../program.h"

#define VALUES 8
#define HELPERS 1

struct helpers {
    pthread_mutex_t lock;
    int hired;
};

struct sorter {
    struct helpers *helpers;
    int *values;
    int count;
};

int helpers_free(struct helpers *helpers)
{
    pthread_mutex_lock(&helpers->lock);
    int free = HELPERS - helpers->hired;
    pthread_mutex_unlock(&helpers->lock);
    return free;
}

void helpers_hire(struct helpers *helpers)
{
    pthread_mutex_lock(&helpers->lock);
    helpers->hired++;
    pthread_mutex_unlock(&helpers->lock);
}

bool sorter_hire(struct sorter *me, struct helpers *helpers)
{
    bool hired = false;

    repair_lock(&helpers->lock);
    if (me->count > 1 && helpers_free(helpers) > 0) {
        helpers_hire(helpers);
        hired = true;
    }
    repair_unlock(&helpers->lock);
    return hired;
}

static void merge(int *values, int count)
{
    int merged[VALUES];
    int left = 0, right = count / 2;

    for (int i = 0; i < count; i++) {
        bool take_left = right == count || (left < count / 2 && values[left] < values[right]);
        merged[i] = take_left ? values[left++] : values[right++];
    }
    for (int i = 0; i < count; i++)
        values[i] = merged[i];
}

static void *sort(void *arg)
{
    struct sorter *me = arg;

    if (me->count > 1) {
        int half = me->count / 2;
        struct sorter left = {me->helpers, me->values, half};
        struct sorter right = {me->helpers, me->values + half, me->count - half};
        bool hired = sorter_hire(me, me->helpers);
        pthread_t helper;
        if (hired && pthread_create(&helper, NULL, sort, &right) != 0)
            abort();
        sort(&left);
        if (hired)
            pthread_join(helper, NULL);
        else
            sort(&right);
        merge(me->values, me->count);
    }
    return NULL;
}

static int values[VALUES] = {5, 2, 8, 1, 7, 3, 6, 4};
static struct helpers helpers = {.lock = MONITOR};

static void *sort_left(void *unused)
{
    struct sorter sorter = {&helpers, values, VALUES / 2};

    sort(&sorter);
    return unused;
}

static void *sort_right(void *unused)
{
    struct sorter sorter = {&helpers, values + VALUES / 2, VALUES / 2};

    sort(&sorter);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{sort_left, NULL}, {sort_right, NULL}};

    run_jobs(jobs, COUNT(jobs));
    merge(values, VALUES);
    for (int i = 0; i < VALUES; i++)
        assert(values[i] == i + 1);
    assert(helpers_free(&helpers) >= 0);
    return 0;
}
