/* regions.c - parallel regions, barriers, single, masked, sections, data sharing. See cases.h. */
#include "tests/openmp/cases.h"

static int counter KEPT, data KEPT, flag KEPT, together;
static int cells[8] KEPT;
static int tp;
#pragma omp threadprivate(tp)

static void parallel(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy)
            counter++;
        else
#pragma omp atomic
            counter++;
    }
}

static void shared_temporary(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        int mine = omp_get_thread_num();
        if (racy)
            data = mine;
        else
            cells[mine] = mine;
    }
}

static void explicit_barrier(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        cells[me] = me;
        if (!racy) {
#pragma omp barrier
        }
        int seen = cells[(me + 1) % 4];
        if (seen > 4)
            abort();
    }
}

static void phases(bool racy)
{
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        for (int phase = 0; phase < 6; phase++) {
            if (racy ? phase == 4 || me == phase % 3 : me == phase % 3)
                data += phase;
#pragma omp barrier
        }
    }
}

static void single_wait(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy) {
#pragma omp single nowait
            data = 1;
        } else {
#pragma omp single
            data = 1;
        }
        if (data > 1)
            abort();
    }
}

static void copy_private(bool racy)
{
    static int seen[4];
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
        if (racy) {
#pragma omp single nowait
            data = 7;
            mine = data;
        } else {
#pragma omp single copyprivate(mine)
            mine = 7;
        }
        seen[omp_get_thread_num()] = mine;
    }
}

static void masked_wait(bool racy)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp masked
        data = 1;
        if (!racy) {
#pragma omp barrier
        }
        if (data > 1)
            abort();
    }
}

static void masked_filter(bool racy)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp masked filter(1)
        data++;
#pragma omp masked filter(racy ? 2 : 1)
        data++;
    }
}

static void sections_same(bool racy)
{
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        {
            meet(&together, 2);
            data = 1;
        }
#pragma omp section
        {
            meet(&together, 2);
            if (racy)
                data = 2;
            else
                flag = 2;
        }
    }
}

static void sections_in_turn(bool racy)
{
#pragma omp parallel num_threads(2)
    {
        if (racy) {
#pragma omp sections
            {
#pragma omp section
                {
                    data = 1;
                    meet(&together, 2);
                }
#pragma omp section
                {
                    meet(&together, 2);
                    flag = data;
                }
            }
        } else {
#pragma omp sections
            {
#pragma omp section
                data = 1;
            }
#pragma omp sections
            {
#pragma omp section
                flag = data;
            }
        }
    }
}

static int *published;
static void thread_private(bool racy)
{
    tp = 5;
#pragma omp parallel num_threads(4) copyin(tp)
    {
        tp += omp_get_thread_num();
        if (omp_get_thread_num() == 1)
#pragma omp atomic write
            published = &tp;
        if (racy && omp_get_thread_num() == 2) {
            int *other;
            do {
                sched_yield();
#pragma omp atomic read
                other = published;
            } while (!other);
            data = *other;
        }
    }
}

static void nested(bool racy)
{
    static int sums[2];
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            if (racy)
                data++;
            else
#pragma omp critical
                data++;
#pragma omp atomic
            sums[outer]++;
        }
        if (sums[outer] != 2)
            abort();
    }
}

static void inner_team(bool racy)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int shared_by_two = 0, *mine = &shared_by_two;
#pragma omp parallel num_threads(2)
        {
            meet(&together, 4); /* a worker that was of both teams would order them */
#pragma omp atomic
            *mine += 1;
        }
        cells[omp_get_thread_num()] = shared_by_two;
        /* Each team has its own barrier. */
#pragma omp parallel num_threads(2)
        {
            if (omp_get_ancestor_thread_num(1) == 0 || racy)
#pragma omp masked
                data++;
        }
    }
}

static void set_number(bool racy)
{
    omp_set_num_threads(3);
#pragma omp parallel
    {
        if (omp_get_num_threads() != 3)
            abort();
        cells[omp_get_thread_num()] = 1;
        if (racy)
            counter = omp_get_thread_num();
    }
    omp_set_num_threads(2);
#pragma omp parallel
    cells[omp_get_thread_num() + 1]++;
}

static void many_regions(bool racy)
{
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == i % 4 || (racy && i == 17))
                counter++;
        }
        counter++;
    }
}

static void conditional(bool racy)
{
#pragma omp parallel num_threads(4) if (racy)
    counter++;
}

static void use(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i]++;
}

/* Frames of the workers are at the same places in each region. */
static void stacks(bool racy)
{
    for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(4)
        {
            int local[32] = {0};
            use(local, 32);
#pragma omp for
            for (int k = 0; k < 8; k++)
                use(local, k);
            if (racy)
                data++;
        }
    }
}

const struct openmp_case regions[] = {
    {"parallel", "counter", parallel},
    {"shared_temporary", "data", shared_temporary},
    {"explicit_barrier", "cells", explicit_barrier},
    {"phases", "data", phases},
    {"single_wait", "data", single_wait},
    {"copy_private", "data", copy_private},
    {"masked_wait", "data", masked_wait},
    {"masked_filter", "data", masked_filter},
    {"sections_same", "data", sections_same},
    {"sections_in_turn", "data", sections_in_turn},
    {"thread_private", "tp", thread_private},
    {"nested", "data", nested},
    {"inner_team", "data", inner_team},
    {"set_number", "counter", set_number},
    {"many_regions", "counter", many_regions},
    {"conditional", "counter", conditional},
    {"stacks", "data", stacks},
    {NULL, NULL, NULL},
};
