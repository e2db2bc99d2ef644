// executions: 2
// models: sc tso pso c11
// flags: -std=c++17
// std::lock gives back what it has taken: a thread that holds `other` and then takes `one` never
// waits for ever.
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
    std::thread in_turn([] {
        std::lock_guard<std::mutex> first(other);
        std::lock_guard<std::mutex> second(one);
        counter++;
    });
    together.join();
    in_turn.join();
    return 0;
}
