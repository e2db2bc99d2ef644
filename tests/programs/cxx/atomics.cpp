// cflags: -std=c++20 -latomic
// std::atomic of several types, atomic_flag and atomic_ref. (C++20's wait is not here: libstdc++
// copies the padding of a local struct in it, bytes that the runtime's own frames have left.)
#include <atomic>
#include <cassert>
#include <thread>

namespace
{

std::atomic<int> counter, gate;
std::atomic<double> sum;
std::atomic<int *> pointer;
std::atomic_flag done = ATOMIC_FLAG_INIT;
int cells[20], plain;

void work()
{
    while (gate == 0)
        std::this_thread::yield();
    for (int i = 0; i < 10; i++) {
        counter.fetch_add(1, std::memory_order_relaxed);
        sum += 0.5;
        *pointer++ = 1;
        std::atomic_ref<int>(plain)++;
    }
}

} // namespace

int main()
{
    pointer = cells;
    std::thread one(work), two(work);
    std::thread waiter([] {
        while (!done.test())
            std::this_thread::yield();
    });
    gate = 1;
    one.join();
    two.join();
    done.test_and_set();
    waiter.join();
    assert(counter == 20 && sum == 10.0 && plain == 20);
    for (int cell : cells)
        assert(cell == 1);
    int expected = 20;
    assert(counter.compare_exchange_strong(expected, 21) && counter == 21);
    return 0;
}
