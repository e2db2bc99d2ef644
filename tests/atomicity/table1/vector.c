/*
 * Vector: copying one, and searching from its end, take the size first and the elements later.
 *
 * expect: set=vector unit=vector_copy pattern=2,11,12
 * expect: set=vector unit=vector_last_index_of pattern=2,11,12
 *
 * Every other method is locked. If the last element goes in between, the copy has a hole, and
 * the search begins behind the end.
 */
#include "../program.h"

#define ELEMENTS 4
#define OUT_OF_BOUNDS (-2)

struct vector {
    pthread_mutex_t lock;
    int size;
    int elements[ELEMENTS];
};

int vector_size(struct vector *vector)
{
    pthread_mutex_lock(&vector->lock);
    int size = vector->size;
    pthread_mutex_unlock(&vector->lock);
    return size;
}

void vector_to_array(struct vector *vector, int *array)
{
    pthread_mutex_lock(&vector->lock);
    for (int i = 0; i < vector->size; i++)
        array[i] = vector->elements[i];
    pthread_mutex_unlock(&vector->lock);
}

void vector_copy(struct vector *to, struct vector *from)
{
    repair_lock(&from->lock);
    to->size = vector_size(from);
    vector_to_array(from, to->elements);
    repair_unlock(&from->lock);
}

static int search_back(struct vector *vector, int element, int last)
{
    int i = OUT_OF_BOUNDS;

    pthread_mutex_lock(&vector->lock);
    if (last < vector->size)
        for (i = last; i >= 0 && vector->elements[i] != element; i--)
            ;
    pthread_mutex_unlock(&vector->lock);
    return i;
}

int vector_last_index_of(struct vector *vector, int element)
{
    repair_lock(&vector->lock);
    int index = search_back(vector, element, vector->size - 1);
    repair_unlock(&vector->lock);
    return index;
}

void vector_remove_last(struct vector *vector)
{
    pthread_mutex_lock(&vector->lock);
    vector->elements[--vector->size] = 0;
    pthread_mutex_unlock(&vector->lock);
}

static struct vector source = {MONITOR, ELEMENTS, {1, 2, 3, 4}};
static struct vector target = {MONITOR, 0, {0}};
static int found;

static void *copy(void *unused)
{
    vector_copy(&target, &source);
    return unused;
}

static void *search(void *unused)
{
    found = vector_last_index_of(&source, 1);
    return unused;
}

static void *shrink(void *unused)
{
    for (int i = 0; i < ELEMENTS - 1; i++)
        vector_remove_last(&source);
    return unused;
}

int main(void)
{
    struct job jobs[] = {{copy, NULL}, {search, NULL}, {shrink, NULL}};

    run_jobs(jobs, COUNT(jobs));
    assert(found == 0);
    assert(vector_last_index_of(&target, 0) == -1);
    return 0;
}
