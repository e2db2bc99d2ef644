// executions: 2
// models: sc tso pso c11
// What a constructor has allocated is as it was when main runs again.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> numbers{1, 2, 3};

static void add()
{
    std::lock_guard<std::mutex> guard(mutex);
    numbers[0]++;
    numbers.push_back(4);
}

int main()
{
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(numbers[0] == 3 && numbers.size() == 5);
    return 0;
}
