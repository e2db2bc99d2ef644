// Stacks of reports: inlined functions, readable names, and calls that were made long ago.
#include <thread>

namespace app
{

struct Counter {
    long n = 0;
    void bump()
    {
        n = n + 1;
    }
    void twice()
    {
        bump();
        bump();
    }
};

Counter counter;
long marks[2];

// Each round leaves an event in the thread's history: far more than it holds.
__attribute__((noinline)) void busy(int me)
{
    for (int i = 0; i < 100000; i++) {
        __atomic_fetch_add(&marks[me], 1, __ATOMIC_RELEASE);
        *const_cast<volatile long *>(&marks[me]) = 0;
    }
}

__attribute__((noinline)) void work(int me)
{
    busy(me);
    counter.twice();
    __asm__ volatile("");
}

} // namespace app

int main()
{
    std::thread a([] { app::work(0); }), b([] { app::work(1); });
    a.join();
    b.join();
    return 0;
}
