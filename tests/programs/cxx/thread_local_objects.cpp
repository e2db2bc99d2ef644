// thread_local objects with destructors: one for each thread, destroyed at its end.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

namespace
{

std::atomic<int> made, destroyed;

struct Tracked {
    std::string name;
    explicit Tracked(const char *text) : name(text)
    {
        made++;
    }
    ~Tracked()
    {
        destroyed++;
    }
};

thread_local Tracked outer("outer");

void work()
{
    thread_local Tracked inner("inner");
    outer.name += "!";
    inner.name += "?";
    assert(outer.name == "outer!" && inner.name == "inner?");
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 5; i++)
        threads.emplace_back(work);
    for (auto &thread : threads)
        thread.join();
    assert(made == 10 && destroyed == 10);
    return 0;
}
