// std::async, promise, packaged_task: values and exceptions arrive.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

namespace
{

long fibonacci(int n)
{
    if (n < 2)
        return n;
    if (n < 6)
        return fibonacci(n - 1) + fibonacci(n - 2);
    auto left = std::async(std::launch::async, fibonacci, n - 1);
    long right = fibonacci(n - 2);
    return left.get() + right;
}

} // namespace

int main()
{
    assert(fibonacci(9) == 34);

    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&] { promise.set_value(42); });
    assert(future.get() == 42);
    thread.join();

    auto failing = std::async(std::launch::async, []() -> int { throw std::logic_error("no"); });
    bool caught = false;
    try {
        failing.get();
    } catch (const std::logic_error &) {
        caught = true;
    }
    assert(caught);

    std::packaged_task<int(int)> task([](int x) { return x + 1; });
    auto result = task.get_future();
    std::thread runner(std::move(task), 4);
    assert(result.wait_for(std::chrono::hours(1)) == std::future_status::ready || result.valid());
    assert(result.get() == 5);
    runner.join();
    return 0;
}
