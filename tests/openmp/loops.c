/* loops.c - worksharing loops, reductions, ordered, doacross, simd. See cases.h. */
#include "tests/openmp/cases.h"

static int a[64] KEPT, b[64] KEPT, sum KEPT, last KEPT, data KEPT, together;

static void static_chunks(bool racy)
{
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 63; i++)
        a[i + (racy ? 1 : 0)] = racy ? a[i] : i;
}

static void dynamic_chunks(bool racy)
{
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
    for (int i = 0; i < 4; i++) {
        meet(&together, 4); /* one iteration for each thread */
        if (racy)
            data = i;
        else
            a[i] = i;
    }
}

static void guided_chunks(bool racy)
{
#pragma omp parallel for num_threads(2) schedule(guided)
    for (int i = 0; i < 2; i++) {
        meet(&together, 2);
        if (racy) {
            if (i >= last)
                last = i + 1;
        } else {
#pragma omp critical
            if (i >= last)
                last = i + 1;
        }
    }
}

static void no_wait(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy) {
#pragma omp for schedule(static) nowait
            for (int i = 0; i < 64; i++)
                a[i] = i;
        } else {
#pragma omp for schedule(static)
            for (int i = 0; i < 64; i++)
                a[i] = i;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < 64; i++)
            b[i] = a[63 - i];
    }
}

/* The same chunks on the same threads need no barrier. */
static void no_wait_same(bool racy)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 64; i++)
            a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 64; i++)
            b[i] = racy && i == 0 ? a[40] : a[i];
    }
}

static void reduction_plus(bool racy)
{
    if (racy) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < 64; i++)
            sum += i;
    } else {
#pragma omp parallel for num_threads(4) reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            sum += i;
        if (sum != 2016)
            abort();
    }
}

static void reduction_early(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy) {
#pragma omp for reduction(+ : sum) nowait
            for (int i = 0; i < 64; i++)
                sum += i;
        } else {
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < 64; i++)
                sum += i;
        }
        if (omp_get_thread_num() == 0)
            data = sum;
    }
}

struct extent {
    int low, high, n;
};
static struct extent extent;

static void widen(struct extent *to, const struct extent *from)
{
    to->low = from->low < to->low ? from->low : to->low;
    to->high = from->high > to->high ? from->high : to->high;
    to->n += from->n;
}
#pragma omp declare reduction(widen : struct extent : widen(&omp_out, &omp_in))                    \
    initializer(omp_priv = (struct extent){1000, -1000, 0})

/* Not one of the types that atomics do: libomp takes a lock, or combines in the barrier. */
static void reduction_struct(bool racy)
{
    if (racy) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < 16; i++)
            widen(&extent, &(struct extent){i, i, 1});
    } else {
#pragma omp parallel for num_threads(4) reduction(widen : extent)
        for (int i = 0; i < 16; i++)
            widen(&extent, &(struct extent){i, i, 1});
        if (extent.n != 16)
            abort();
    }
}

/* More than four threads: in a tree. */
static void reduction_tree(bool racy)
{
    struct extent all = {0, 0, 0};
    double total = 0;
#pragma omp parallel num_threads(6)
    {
#pragma omp for reduction(widen : all) reduction(+ : total)
        for (int i = 0; i < 24; i++) {
            widen(&all, &(struct extent){i, i, 1});
            total += i;
        }
        if (all.n != 24 || total != 276)
            abort();
        if (racy)
            data = all.low;
    }
}

static void reduction_array(bool racy)
{
    static int bins[4];
    if (racy) {
#pragma omp parallel for num_threads(4)
        for (int i = 0; i < 32; i++)
            bins[i % 4]++;
    } else {
#pragma omp parallel for num_threads(4) reduction(+ : bins[ : 4])
        for (int i = 0; i < 32; i++)
            bins[i % 4]++;
        if (bins[3] != 8)
            abort();
    }
}

static void last_private(bool racy)
{
#pragma omp parallel num_threads(4)
    {
        if (racy && omp_get_thread_num() == 0)
            data = last;
#pragma omp for lastprivate(last) schedule(static)
        for (int i = 0; i < 64; i++)
            last = i;
        if (omp_get_thread_num() == 0)
            data = last;
    }
}

static void ordered(bool racy)
{
#pragma omp parallel for num_threads(4) ordered schedule(static, 1)
    for (int i = 0; i < 8; i++) {
        a[i] = i;
        if (racy)
            sum += i;
#pragma omp ordered
        data += i;
    }
}

static void cross(bool racy)
{
    a[0] = 1;
#pragma omp parallel for num_threads(4) ordered(1) schedule(static, 1)
    for (int i = 1; i < 16; i++) {
        if (racy) {
#pragma omp ordered depend(sink : i - 2)
        } else {
#pragma omp ordered depend(sink : i - 1)
        }
        a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
    }
}

static void simd(bool racy)
{
    if (racy) {
#pragma omp parallel for simd num_threads(4) schedule(static) safelen(1)
        for (int i = 0; i < 63; i++)
            a[i] = a[i + 1] + 1;
    } else {
#pragma omp parallel for simd num_threads(4) schedule(static)
        for (int i = 0; i < 63; i++)
            a[i] = b[i + 1] + 1;
    }
}

static void collapsed(bool racy)
{
#pragma omp parallel for num_threads(4) collapse(2) schedule(static)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            a[racy ? j : 8 * i + j] = i;
}

const struct openmp_case loops[] = {
    {"static_chunks", "a", static_chunks},
    {"dynamic_chunks", "data", dynamic_chunks},
    {"guided_chunks", "last", guided_chunks},
    {"no_wait", "a", no_wait},
    {"no_wait_same", "a", no_wait_same},
    {"reduction_plus", "sum", reduction_plus},
    {"reduction_early", "sum", reduction_early},
    {"reduction_struct", "extent", reduction_struct},
    {"reduction_tree", "data", reduction_tree},
    {"reduction_array", "bins", reduction_array},
    {"last_private", "last", last_private},
    {"ordered", "sum", ordered},
    {"cross", "a", cross},
    {"simd", "a", simd},
    {"collapsed", "a", collapsed},
    {NULL, NULL, NULL},
};
