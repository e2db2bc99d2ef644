// executions: 6
// models: sc tso pso c11
// flags: -std=c++17
// std::lock takes its mutexes together: each number of attempts counts as one.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex one, other;
static int counter;

static void add()
{
    std::scoped_lock both(one, other);
    counter++;
}

static void add_too()
{
    std::unique_lock<std::mutex> second(other, std::defer_lock), first(one, std::defer_lock);
    std::lock(second, first);
    counter++;
}

int main()
{
    std::thread a(add), b(add_too), c(add_too);
    a.join();
    b.join();
    c.join();
    assert(counter == 3);
    return 0;
}
