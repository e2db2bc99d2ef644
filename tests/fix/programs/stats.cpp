/*
 * Two counters of a class without any lock.
 *
 * fix: std::atomic<long> hits
 * fix: std::atomic<long> misses
 * fix: hits.fetch_add(1, std::memory_order_relaxed)
 * fix: misses.fetch_add(1, std::memory_order_relaxed)
 * hides
 */
#include <cassert>
#include <thread>

struct statistics {
    long hits = 0;
    long misses = 0;
};

static statistics stats;

static void serve(bool found)
{
    if (found)
        stats.hits++;
    else
        stats.misses++;
}

static void worker()
{
    serve(true);
    serve(false);
}

int main()
{
    std::thread one(worker), two(worker);
    one.join();
    two.join();
    assert(stats.hits == 2 && stats.misses == 2);
    return 0;
}
