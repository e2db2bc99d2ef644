// violation: deadlock
// models: sc tso pso c11
// flags: -std=c++17
// The twin of scoped_lock_back.cpp: it holds `other` for ever. Another thread takes `one`
// meanwhile.
#include <mutex>
#include <thread>

static std::mutex one, other;
static int counter;

int main()
{
    std::thread together([] {
        std::scoped_lock both(one, other);
        counter++;
    });
    std::thread in_turn([] { other.lock(); });
    std::thread beside([] { std::lock_guard<std::mutex> lock(one); });
    together.join();
    in_turn.join();
    beside.join();
    return 0;
}
