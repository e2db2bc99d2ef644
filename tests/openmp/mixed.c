/* mixed.c - OpenMP with other threads, and libomp's memory. See cases.h. */
#include "tests/openmp/cases.h"

#include <pthread.h>

static int data KEPT, together, cells[8] KEPT;
static bool race;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *region(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
        {
            if (!race)
                pthread_mutex_lock(&mutex);
            data++;
            if (!race)
                pthread_mutex_unlock(&mutex);
        }
    }
    return NULL;
}

static void two_roots(bool racy)
{
    pthread_t threads[2];
    race = racy;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, region, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void *read_cells(void *unused)
{
    (void)unused;
    meet(&together, race ? 2 : 1);
    for (int i = 0; i < 4; i++)
        data += cells[i];
    return NULL;
}

static void region_and_thread(bool racy)
{
    pthread_t thread;
    race = racy;
    if (racy)
        pthread_create(&thread, NULL, read_cells, NULL);
#pragma omp parallel num_threads(4)
    cells[omp_get_thread_num()] = 1;
    if (racy)
        meet(&together, 2);
    else
        pthread_create(&thread, NULL, read_cells, NULL);
    pthread_join(thread, NULL);
}

static void *add_one(void *unused)
{
    (void)unused;
    data++;
    return NULL;
}

static void threads_in_region(bool racy)
{
#pragma omp parallel num_threads(2)
    {
        pthread_t thread;
        if (racy || omp_get_thread_num() == 0) {
            pthread_create(&thread, NULL, add_one, NULL);
            pthread_join(thread, NULL);
        }
    }
    data++;
}

/* libomp sleeps and is woken by way of a mutex: that orders nothing of the program's. */
static void mutex_of_two(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&mutex);
            data++;
            pthread_mutex_unlock(&mutex);
#pragma omp barrier
        }
        if (racy)
            cells[0] = omp_get_thread_num();
    }
}

static void allocated(bool racy)
{
    for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(4)
        {
            int *block = omp_alloc(64, omp_default_mem_alloc);
            block[0] = omp_get_thread_num();
            block[1] = racy ? (data = i) : i;
            omp_free(block, omp_default_mem_alloc);
        }
    }
}

/* What one thread frees another gets. */
static void handed_over(bool racy)
{
    int *block = NULL;
    for (int i = 0; i < 6; i++) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == i % 3) {
                if (block)
                    free(block);
                block = malloc(40);
                block[0] = i;
            }
            if (racy && i == 5)
                data++;
        }
    }
    free(block);
}

const struct openmp_case mixed[] = {
    {"two_roots", "data", two_roots},
    {"region_and_thread", "cells", region_and_thread},
    {"threads_in_region", "data", threads_in_region},
    {"mutex_of_two", "cells", mutex_of_two},
    {"allocated", "data", allocated},
    {"handed_over", "data", handed_over},
    {NULL, NULL, NULL},
};
