// violation: assertion
// models: sc c11
// flags: -std=c++17
// A trylock notices that std::lock takes a mutex and gives it back while another one is held.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex one, other;
static std::atomic<bool> holds;

int main()
{
    std::thread together([] { std::scoped_lock both(one, other); });
    std::thread beside([] {
        other.lock();
        holds = true;
        holds = false;
        other.unlock();
    });
    bool before = holds, failed = !one.try_lock();
    if (!failed)
        one.unlock();
    bool taken = one.try_lock();
    bool all_along = before && holds;
    if (taken)
        one.unlock();
    assert(!(all_along && failed && taken));
    together.join();
    beside.join();
    return 0;
}
