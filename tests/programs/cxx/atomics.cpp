// cflags: -std=c++20 -latomic
// std::atomic of several types, atomic_flag, atomic_ref, and C++20's wait and notify.
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
    gate.wait(0);
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
    std::thread waiter([] { done.wait(false); });
    gate = 1;
    gate.notify_all();
    one.join();
    two.join();
    done.test_and_set();
    done.notify_one();
    waiter.join();
    assert(counter == 20 && sum == 10.0 && plain == 20);
    for (int cell : cells)
        assert(cell == 1);
    int expected = 20;
    assert(counter.compare_exchange_strong(expected, 21) && counter == 21);
    return 0;
}
