// executions: 2
// models: sc tso pso c11
// flags: -std=c++20
// std::atomic::wait: some tries, then futex(2), and a counter of the waiters.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int value;

int main()
{
    std::thread sets([] {
        value = 1;
        flag.store(1, std::memory_order_release);
        flag.notify_one();
    });
    flag.wait(0, std::memory_order_acquire);
    assert(value == 1);
    sets.join();
    return 0;
}
