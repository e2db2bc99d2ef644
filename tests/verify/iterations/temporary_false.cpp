// violation: turns < 2
// models: sc c11
// The twin of temporary.cpp: the object lives as long as the loop, and counts its iterations.
#include <atomic>
#include <cassert>
#include <thread>

struct counter {
    int turns = 0;
};

static std::atomic<int> flag;

__attribute__((noinline)) static bool is_set(counter &counter)
{
    counter.turns++;
    return flag.load() || counter.turns > 3;
}

int main()
{
    std::thread waits([] {
        counter counter;
        while (!is_set(counter))
            std::this_thread::yield();
        int turns = counter.turns;
        assert(turns < 2);
    });
    flag = 1;
    waits.join();
    return 0;
}
