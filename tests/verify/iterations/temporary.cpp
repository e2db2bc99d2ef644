// executions: 2
// hb: 1
// Each iteration makes and destroys a local object, which is stored to: that is no effect.
#include <atomic>
#include <thread>

struct wanted {
    int value;
    explicit wanted(int value) : value(value) {}
    wanted(const wanted &other) : value(other.value) {}
    ~wanted()
    {
        value = 0;
    }
};

static std::atomic<int> flag;

__attribute__((noinline)) static bool is(wanted wanted)
{
    return flag.load() == wanted.value;
}

int main()
{
    std::thread waits([] {
        while (!is(wanted(1)))
            std::this_thread::yield();
    });
    flag = 1;
    waits.join();
    return 0;
}
