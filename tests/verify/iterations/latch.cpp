// executions: 252
// models: sc c11
// flags: -std=c++20
// Each thread reads what the others have stored before the latch.
#include <cassert>
#include <latch>
#include <thread>

static std::latch latch(3);
static int values[3];

static void meet(int own)
{
    values[own] = 1;
    latch.arrive_and_wait();
    assert(values[0] + values[1] + values[2] == 3);
}

int main()
{
    std::thread first(meet, 0), second(meet, 1), third(meet, 2);
    first.join();
    second.join();
    third.join();
    return 0;
}
