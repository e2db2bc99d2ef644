// executions: 2
// models: sc tso pso c11
// The counts of a shared_ptr are two atomics.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::shared_ptr<int> total = std::make_shared<int>(0);

static void add(int n)
{
    std::lock_guard<std::mutex> guard(mutex);
    total = std::make_shared<int>(*total + n);
}

int main()
{
    std::thread one(add, 1), two(add, 2);
    one.join();
    two.join();
    assert(*total == 3 && total.use_count() == 1);
    return 0;
}
