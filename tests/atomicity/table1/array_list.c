/*
 * ArrayList in a synchronisation wrapper: each method is locked, an iteration over it is not.
 *
 * expect: set=list unit=list_add_all pattern=11,12
 *
 * A list that is filled with something else while its elements are added to another gives some
 * of the old and some of the new.
 */
#include "../program.h"

#define ELEMENTS 3

struct list {
    pthread_mutex_t lock;
    int size;
    int elements[ELEMENTS];
};

int list_size(struct list *list)
{
    pthread_mutex_lock(&list->lock);
    int size = list->size;
    pthread_mutex_unlock(&list->lock);
    return size;
}

int list_get(struct list *list, int i)
{
    pthread_mutex_lock(&list->lock);
    int element = list->elements[i];
    pthread_mutex_unlock(&list->lock);
    return element;
}

void list_add(struct list *list, int element)
{
    pthread_mutex_lock(&list->lock);
    list->elements[list->size++] = element;
    pthread_mutex_unlock(&list->lock);
}

void list_fill(struct list *list, int element)
{
    pthread_mutex_lock(&list->lock);
    for (int i = 0; i < list->size; i++)
        list->elements[i] = element;
    pthread_mutex_unlock(&list->lock);
}

void list_add_all(struct list *list, struct list *from)
{
    repair_lock(&from->lock);
    for (int i = 0; i < list_size(from); i++)
        list_add(list, list_get(from, i));
    repair_unlock(&from->lock);
}

static struct list source = {MONITOR, ELEMENTS, {1, 1, 1}};
static struct list target = {MONITOR, 0, {0}};

static void *fill(void *unused)
{
    for (int i = 2; i < 4; i++)
        list_fill(&source, i);
    return unused;
}

static void *add_all(void *unused)
{
    list_add_all(&target, &source);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{fill, NULL}, {add_all, NULL}};

    run_jobs(jobs, COUNT(jobs));
    for (int i = 1; i < ELEMENTS; i++)
        assert(list_get(&target, i) == list_get(&target, 0));
    return 0;
}
