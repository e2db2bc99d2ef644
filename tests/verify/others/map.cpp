// refused: not instrumented
// std::map is balanced by libstdc++, whose stores are no events: to go on without them is to crash
// where the program does not.
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::map<std::string, int> ages;
static std::mutex mutex;

static void add(const char *name)
{
    std::lock_guard<std::mutex> guard(mutex);
    ages[name]++;
    if (ages.size() == 2)
        ages.clear();
}

int main()
{
    std::thread one(add, "ada"), two(add, "bob");
    one.join();
    two.join();
    return (int)ages.size();
}
