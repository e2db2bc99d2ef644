/*
 * A global mutex that one of two functions holds.
 *
 * fix: std::lock_guard<std::mutex>
 * not: fetch_sub
 * hides
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int stock = 5;

static void supply()
{
    std::lock_guard<std::mutex> hold(mutex);
    stock += 3;
}

static void sell()
{
    stock -= 1;
}

int main()
{
    std::thread one(supply), two(sell);
    one.join();
    two.join();
    assert(stock == 7);
    return 0;
}
