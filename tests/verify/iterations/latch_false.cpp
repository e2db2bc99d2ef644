// violation: livelock
// models: sc c11
// flags: -std=c++20
// The twin of latch.cpp: it waits for one more than there are.
#include <latch>
#include <thread>

static std::latch latch(3);

int main()
{
    std::thread first([] { latch.arrive_and_wait(); });
    latch.arrive_and_wait();
    first.join();
    return 0;
}
