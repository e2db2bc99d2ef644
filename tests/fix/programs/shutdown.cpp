/*
 * A worker leaves its result and says that it has finished; main looks from time to time.
 *
 * fix: std::atomic<bool> finished
 * fix: finished.store(true, std::memory_order_release)
 * fix: finished.load(std::memory_order_acquire)
 * hides
 */
#include <cassert>
#include <thread>

static long total;
static bool finished;

static void work()
{
    for (int i = 1; i <= 3; i++)
        total += i;
    finished = true;
}

int main()
{
    std::thread worker(work);
    if (finished)
        assert(total == 6);
    worker.join();
    return 0;
}
