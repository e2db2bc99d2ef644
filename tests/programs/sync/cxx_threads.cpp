// std::thread with std::mutex, std::lock of two, unique_lock, recursive and timed mutexes.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex a, b;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static int total;

static void work(int n)
{
    for (int i = 0; i < n; i++) {
        std::scoped_lock both(i % 2 ? a : b, i % 2 ? b : a);
        std::lock_guard<std::recursive_mutex> once(recursive), twice(recursive);
        total++;
    }
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(work, 3);
    for (auto &thread : threads)
        thread.join();
    assert(total == 9);

    std::unique_lock<std::timed_mutex> held(timed);
    std::thread([] {
        assert(!timed.try_lock());
        assert(!timed.try_lock_for(std::chrono::milliseconds(5)));
        assert(!timed.try_lock_until(std::chrono::system_clock::now()));
    }).join();
    held.unlock();
    assert(timed.try_lock_for(std::chrono::hours(1)));
    timed.unlock();
    return 0;
}
