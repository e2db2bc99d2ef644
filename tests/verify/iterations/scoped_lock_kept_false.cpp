// violation: deadlock
// models: sc tso pso c11
// flags: -std=c++17
// A thread keeps a mutex from before std::lock, for which the holder of another one waits.
#include <mutex>
#include <thread>

static std::mutex kept, one, other;

int main()
{
    std::thread together([] {
        std::lock_guard<std::mutex> before(kept);
        std::scoped_lock both(one, other);
    });
    std::thread in_turn([] {
        std::lock_guard<std::mutex> first(other);
        std::lock_guard<std::mutex> second(kept);
    });
    together.join();
    in_turn.join();
    return 0;
}
