/*
 * A lambda of one line forgets the lock. A lock around its line would be held by who creates the
 * thread.
 *
 * fix: total.fetch_add(2, std::memory_order_relaxed)
 * not: mutex.lock()
 * hides
 */
#include <cassert>
#include <mutex>
#include <thread>

static int total;
static std::mutex mutex;

int main()
{
    std::thread one([] { total += 2; });
    std::thread two([] {
        std::lock_guard<std::mutex> hold(mutex);
        total += 2;
    });
    one.join();
    two.join();
    assert(total == 4);
    return 0;
}
