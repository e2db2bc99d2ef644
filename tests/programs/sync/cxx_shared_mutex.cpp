// std::shared_mutex and shared_timed_mutex.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static std::shared_timed_mutex timed;
static int x, y;

int main()
{
    std::thread writer([] {
        for (int i = 0; i < 3; i++) {
            std::unique_lock<std::shared_mutex> lock(mutex);
            x++;
            y++;
        }
    });
    std::thread reader([] {
        for (int i = 0; i < 3; i++) {
            std::shared_lock<std::shared_mutex> lock(mutex);
            assert(x == y);
        }
    });
    writer.join();
    reader.join();
    std::shared_lock<std::shared_timed_mutex> shared(timed);
    std::thread([] {
        assert(timed.try_lock_shared());
        timed.unlock_shared();
        assert(!timed.try_lock() && !timed.try_lock_for(std::chrono::milliseconds(5)));
    }).join();
    return 0;
}
