// executions: 36
// models: sc
// flags: -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier barrier(2);
static int values[2];

static void meet(int own)
{
    values[own] = 1;
    barrier.arrive_and_wait();
    assert(values[0] + values[1] == 2);
}

int main()
{
    std::thread first(meet, 0), second(meet, 1);
    first.join();
    second.join();
    return 0;
}
