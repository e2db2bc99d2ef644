// executions: 2
// The twin of map.cpp: std::vector is all in its header.
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> ages;
static std::mutex mutex;

static void add(int key)
{
    std::lock_guard<std::mutex> guard(mutex);
    ages.push_back(key);
}

int main()
{
    std::thread one(add, 1), two(add, 2);
    one.join();
    two.join();
    return ages.size() == 2 ? 0 : 1;
}
