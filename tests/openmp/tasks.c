/* tasks.c - explicit tasks, dependences, taskwait, taskgroup, taskloop. See cases.h. */
#include "tests/openmp/cases.h"

static int data KEPT, other KEPT, seen KEPT, together, begun, x, y;
static int sums[8] KEPT, items[32] KEPT;

static void siblings(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        {
            meet(&together, 2); /* on two threads */
            if (racy)
                data++;
            else
#pragma omp critical
                data++;
        }
    }
}

static void task_wait(bool racy)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            meet(&together, 2);
            data = 1;
        }
        meet(&together, 2);
        if (!racy) {
#pragma omp taskwait
        }
        seen = data;
    }
}

static void barrier_ends_tasks(bool racy)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp masked
        for (int i = 0; i < 6; i++)
#pragma omp task firstprivate(i)
            items[i] = i;
        if (!racy) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 2)
            for (int i = 0; i < 6; i++)
                seen += items[i];
        if (racy && omp_get_thread_num() == 0)
            items[0] = 1; /* whoever executes the tasks */
    }
}

static void captured(bool racy)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        data = 3;
        if (racy) {
#pragma omp task shared(data)
            {
                meet(&together, 2);
                seen = data;
            }
        } else {
#pragma omp task firstprivate(data)
            {
                meet(&together, 2);
                seen = data;
            }
        }
        meet(&together, 2);
        data = 4;
    }
}

static void depend(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            if (racy)
                meet(&together, 2);
            data = 1;
        }
        if (racy) {
#pragma omp task depend(in : y)
            {
                meet(&together, 2);
                seen = data;
            }
        } else {
#pragma omp task depend(in : x)
            seen = data;
#pragma omp task depend(inout : x)
            data++;
        }
    }
}

static void readers(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        data = 1;
        if (racy) {
            for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x)
                {
                    meet(&together, 2);
                    data++;
                }
            }
        } else {
            for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x)
                {
                    meet(&together, 2);
                    sums[i] = data;
                }
            }
#pragma omp task depend(out : x)
            data = sums[0] + sums[1];
        }
    }
}

static void sets(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        data = 1;
        for (int i = 0; i < 2; i++) {
            if (racy) {
#pragma omp task depend(inoutset : x)
                {
                    meet(&together, 2);
                    data++;
                }
            } else {
#pragma omp task depend(mutexinoutset : x)
                data++;
            }
        }
#pragma omp task depend(in : x)
        seen = data;
    }
}

static void chain(bool racy)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 12; i++) {
#pragma omp task depend(inout : items[i % 3]) firstprivate(i)
            items[i % 3] += i;
        }
#pragma omp taskwait
        if (racy) {
            for (int i = 0; i < 2; i++)
#pragma omp task depend(inout : items[i]) firstprivate(i)
            {
                meet(&together, 2);
                data += i;
            }
        }
    }
}

static void grandchildren(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        if (racy) {
#pragma omp task
            {
#pragma omp task
                {
                    meet(&together, 2);
                    data = 1;
                }
            }
            meet(&together, 2); /* before the taskwait, which could execute the grandchild */
#pragma omp taskwait
        } else {
#pragma omp taskgroup
            {
#pragma omp task
                {
#pragma omp task
                    data = 1;
                }
            }
        }
        seen = data;
    }
}

static void task_loop(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        if (racy) {
#pragma omp taskloop nogroup num_tasks(2)
            for (int i = 0; i < 2; i++) {
                meet(&together, 3);
                items[i] = i;
            }
            meet(&together, 3);
        } else {
#pragma omp taskloop num_tasks(4)
            for (int i = 0; i < 16; i++)
                items[i] = i;
        }
        seen = items[0] + items[1];
    }
}

static void task_loops(bool racy)
{
    int from = 1, last = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int round = 0; round < 5; round++) {
#pragma omp taskloop grainsize(2) firstprivate(from) lastprivate(last)
        for (int i = 0; i < 16; i++) {
            items[i] += from;
            last = i;
        }
        if (last != 15)
            abort();
        if (racy && round == 4) {
#pragma omp taskloop num_tasks(2)
            for (int i = 0; i < 2; i++) {
                meet(&together, 2);
                data = i;
            }
        }
    }
}

static void task_reduction(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        if (racy) {
            for (int i = 0; i < 2; i++) {
#pragma omp task
                {
                    meet(&together, 2);
                    data += i;
                }
            }
        } else {
#pragma omp taskgroup task_reduction(+ : data)
            {
                for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : data) firstprivate(i)
                    data += i;
                }
            }
            if (data != 28)
                abort();
        }
    }
}

static void undeferred(bool racy)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task if (racy)
        {
            if (racy)
                meet(&together, 2);
            data = 1;
        }
        if (racy)
            meet(&together, 2);
        seen = data;
    }
}

/* Begins on a thread other than its creator's, and ends when that has gone on. */
static void hold(bool racy)
{
    if (racy) {
        meet(&begun, 2);
        meet(&together, 2);
    }
    other = 1;
}

static void undeferred_depend(bool racy)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        data = 1;
#pragma omp task depend(out : y)
        hold(racy);
        if (racy)
            meet(&begun, 2);
#pragma omp task depend(in : x) if (0)
        seen = data;
        if (racy) {
            meet(&together, 2);
            seen = other;
        }
    }
}

static void wait_depend(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        data = 1;
#pragma omp task depend(out : y)
        hold(racy);
        if (racy)
            meet(&begun, 2);
#pragma omp taskwait depend(in : x)
        seen = data;
        if (racy) {
            meet(&together, 2);
            seen = other;
        }
    }
}

static void detached(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
        data = 1;
#pragma omp task
        {
            other = 1;
            omp_fulfill_event(event);
            if (racy) {
                meet(&together, 2);
                other = 2;
            }
        }
        if (racy) {
#pragma omp task depend(in : x)
            {
                meet(&together, 2);
                seen = other;
            }
        } else {
#pragma omp task depend(in : x)
            seen = data + other;
        }
    }
}

/* Tasks of one thread are in its program order. */
static void by_thread(bool racy)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int i = 0; i < 24; i++) {
#pragma omp task firstprivate(i)
            {
                if (racy && i < 2)
                    meet(&together, 2);
                sums[racy ? 0 : omp_get_thread_num()] += i;
            }
        }
    }
}

static int fibonacci(int n, bool racy)
{
    if (n < 2)
        return n;
    int left, right;
#pragma omp task shared(left)
    left = fibonacci(n - 1, racy);
#pragma omp task shared(right)
    right = fibonacci(n - 2, racy);
#pragma omp taskwait
    if (racy && n == 2 && __atomic_load_n(&together, __ATOMIC_RELAXED) < 2) {
        meet(&together, 2);
        data++;
    }
    return left + right;
}

static void recursive(bool racy)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    if (fibonacci(7, racy) != 13)
        abort();
}

static void untied(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        for (int i = 0; i < 4; i++) {
#pragma omp task untied firstprivate(i)
            {
                if (racy && i < 2) {
                    meet(&together, 2); /* before the taskwait, which could execute the other */
                    data = i;
                }
                items[i] = 1;
#pragma omp task shared(items)
                items[i]++;
#pragma omp taskwait
                items[i]++;
            }
        }
    }
}

static void all_memory(bool racy)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        data = 1;
        if (racy) {
            for (int i = 0; i < 2; i++)
#pragma omp task depend(in : x)
            {
                meet(&together, 2);
                other++;
            }
        } else {
#pragma omp task depend(out : omp_all_memory)
            data++;
#pragma omp task depend(in : y)
            seen = data;
        }
    }
}

const struct openmp_case tasks[] = {
    {"siblings", "data", siblings},
    {"task_wait", "data", task_wait},
    {"barrier_ends_tasks", "items", barrier_ends_tasks},
    {"captured", "data", captured},
    {"depend", "data", depend},
    {"readers", "data", readers},
    {"sets", "data", sets},
    {"chain", "data", chain},
    {"grandchildren", "data", grandchildren},
    {"task_loop", "items", task_loop},
    {"task_loops", "data", task_loops},
    {"task_reduction", "data", task_reduction},
    {"undeferred", "data", undeferred},
    {"undeferred_depend", "other", undeferred_depend},
    {"wait_depend", "other", wait_depend},
    {"detached", "other", detached},
    {"by_thread", "sums", by_thread},
    {"recursive", "data", recursive},
    {"untied", "data", untied},
    {"all_memory", "other", all_memory},
    {NULL, NULL, NULL},
};
