// executions: 4
// models: sc tso pso c11
// A wait with a limit is over once, however long the limit is: the clock shows it then.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static int value;

#ifdef WRONG
static const bool looks = false;
#else
static const bool looks = true;
#endif

int main()
{
    std::thread one([] {
        {
            std::lock_guard<std::mutex> guard(mutex);
            value = 3;
            ready = true;
        }
        changed.notify_one();
    });
    std::thread two([] {
        std::unique_lock<std::mutex> guard(mutex);
        bool is_ready = changed.wait_for(guard, std::chrono::seconds(5), [] { return ready; });
        assert((looks && !is_ready) || value == 3);
    });
    one.join();
    two.join();
    return 0;
}
