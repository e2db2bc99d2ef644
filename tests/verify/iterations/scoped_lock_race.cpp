// race: counter
// models: sc c11
// flags: -std=c++17
// One of two threads counts after it has given the mutexes back.
#include <mutex>
#include <thread>

static std::mutex one, other;
static int counter;

int main()
{
    std::thread first([] {
        std::scoped_lock both(one, other);
        counter++;
    });
    std::thread second([] {
        {
            std::scoped_lock both(other, one);
        }
        counter++;
    });
    first.join();
    second.join();
    return 0;
}
