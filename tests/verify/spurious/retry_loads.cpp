// executions: 2
// count: 4
// models: sc tso pso c11
// The same with a load in each iteration, of std::atomic, with a function that computes, and with
// yielding.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;

static int next(int value)
{
    return value < 100 ? value + 1 : 0;
}

static void add()
{
    int old;
    do {
        old = x.load(std::memory_order_relaxed);
        std::this_thread::yield();
    } while (!x.compare_exchange_weak(old, next(old), std::memory_order_acq_rel));
}

int main()
{
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(x == 2);
    return 0;
}
