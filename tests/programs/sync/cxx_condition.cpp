// std::condition_variable and condition_variable_any: predicates, time-outs, notify_all.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static std::condition_variable_any any;
static std::shared_mutex shared;
static int stage;

int main()
{
    std::thread first([] {
        std::unique_lock<std::mutex> lock(mutex);
        condition.wait(lock, [] { return stage == 1; });
        stage = 2;
        condition.notify_all();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        stage = 1;
        condition.notify_all();
        assert(condition.wait_for(lock, std::chrono::hours(24), [] { return stage == 2; }));
        assert(!condition.wait_for(lock, std::chrono::milliseconds(3), [] { return false; }));
        auto soon = std::chrono::system_clock::now() + std::chrono::milliseconds(3);
        while (condition.wait_until(lock, soon) == std::cv_status::no_timeout)
            ;
        assert(std::chrono::system_clock::now() >= soon);
    }
    first.join();
    std::thread second([] {
        std::unique_lock<std::shared_mutex> lock(shared);
        stage = 3;
        any.notify_one();
    });
    {
        std::shared_lock<std::shared_mutex> lock(shared);
        any.wait(lock, [] { return stage == 3; });
    }
    second.join();
    return 0;
}
