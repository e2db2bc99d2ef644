/* locks.c - critical, atomic, flush, locks. See cases.h. */
#include "tests/openmp/cases.h"

static int data KEPT, flag KEPT, together, slots[4] KEPT, next KEPT;
static omp_lock_t one, other;
static omp_nest_lock_t nest;

static void critical(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy && omp_get_thread_num() == 3)
            data++;
        else
#pragma omp critical
            data++;
    }
}

static void critical_names(bool racy)
{
#pragma omp parallel num_threads(2)
    {
        if (racy && omp_get_thread_num() == 1) {
#pragma omp critical(second)
            data++;
        } else {
#pragma omp critical(first)
            data++;
        }
    }
}

static void atomic_update(bool racy)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        data += 2;
        int seen;
        if (racy)
            seen = data;
        else
#pragma omp atomic read
            seen = data;
        if (seen > 8)
            abort();
    }
}

static void atomic_capture(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        int mine;
        if (racy)
            mine = next++;
        else
#pragma omp atomic capture
            mine = next++;
        slots[mine & 3] = 1;
    }
}

static void message(bool racy)
{
#pragma omp parallel num_threads(2)
    {
        int ready = 0;
        if (omp_get_thread_num() == 0) {
            data = 1;
            if (racy)
#pragma omp atomic write relaxed
                flag = 1;
            else
#pragma omp atomic write release
                flag = 1;
        } else {
            while (!ready) {
                sched_yield();
#pragma omp atomic read acquire
                ready = flag;
            }
            data++;
        }
    }
}

static void flushed(bool racy)
{
#pragma omp parallel num_threads(2)
    {
        int ready = 0;
        if (omp_get_thread_num() == 0) {
            data = 1;
            if (!racy) {
#pragma omp flush
            }
#pragma omp atomic write relaxed
            flag = 1;
        } else {
            while (!ready) {
                sched_yield();
#pragma omp atomic read relaxed
                ready = flag;
            }
            if (!racy) {
#pragma omp flush
            }
            data++;
        }
    }
}

static void lock(bool racy)
{
    omp_init_lock(&one);
#pragma omp parallel num_threads(4)
    {
        bool locks = !racy || omp_get_thread_num() != 1;
        if (locks)
            omp_set_lock(&one);
        data++;
        if (locks)
            omp_unset_lock(&one);
    }
    omp_destroy_lock(&one);
}

static void two_locks(bool racy)
{
    omp_init_lock(&one);
    omp_init_lock(&other);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *mine = racy && omp_get_thread_num() ? &other : &one;
        omp_set_lock(mine);
        data++;
        omp_unset_lock(mine);
    }
    omp_destroy_lock(&one);
    omp_destroy_lock(&other);
}

static void nest_lock(bool racy)
{
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(4)
    {
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        data++;
        omp_unset_nest_lock(&nest);
        if (!racy)
            data++;
        omp_unset_nest_lock(&nest);
        if (racy)
            data++;
    }
    omp_destroy_nest_lock(&nest);
}

static void test_lock(bool racy)
{
    omp_init_lock(&one);
#pragma omp parallel num_threads(2)
    {
        meet(&together, 2);
        while (!omp_test_lock(&one))
            sched_yield();
        data++;
        omp_unset_lock(&one);
        if (racy)
            data++;
    }
    omp_destroy_lock(&one);
}

/* A lock that is destroyed and initialised again orders nothing of its earlier life. */
static void lock_again(bool racy)
{
    for (int i = 0; i < 3; i++) {
        omp_init_lock(&one);
#pragma omp parallel num_threads(2)
        {
            omp_set_lock(&one);
            data++;
            omp_unset_lock(&one);
            if (racy && i == 2)
                flag++;
        }
        omp_destroy_lock(&one);
    }
}

const struct openmp_case locks[] = {
    {"critical", "data", critical},
    {"critical_names", "data", critical_names},
    {"atomic_update", "data", atomic_update},
    {"atomic_capture", "next", atomic_capture},
    {"message", "data", message},
    {"flushed", "data", flushed},
    {"lock", "data", lock},
    {"two_locks", "data", two_locks},
    {"nest_lock", "data", nest_lock},
    {"test_lock", "data", test_lock},
    {"lock_again", "flag", lock_again},
    {NULL, NULL, NULL},
};
