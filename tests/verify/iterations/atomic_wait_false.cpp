// violation: assertion
// models: c11
// flags: -std=c++20
// The twin of atomic_wait.cpp: wait() and notify_one() order nothing by themselves.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag, value;

int main()
{
    std::thread sets([] {
        value.store(1, std::memory_order_relaxed);
        flag.store(1, std::memory_order_relaxed);
        flag.notify_one();
    });
    flag.wait(0, std::memory_order_relaxed);
    assert(value.load(std::memory_order_relaxed) == 1);
    sets.join();
    return 0;
}
