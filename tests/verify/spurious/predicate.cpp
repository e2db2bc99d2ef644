// executions: 2
// count: 2
// The loop is in the library's header, and the predicate is a function of its own.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void wait(std::unique_lock<std::mutex> &guard)
{
#ifdef WRONG
    if (!ready)
        changed.wait(guard);
#else
    changed.wait(guard, [] { return ready; });
#endif
}

int main()
{
    std::thread one([] {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> guard(mutex);
        wait(guard);
        assert(ready);
    }
    one.join();
    return 0;
}
