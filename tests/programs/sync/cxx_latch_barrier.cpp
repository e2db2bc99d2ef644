// cflags: -std=c++20
// C++20: latch, barrier with a completion step, counting semaphore, jthread.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

static std::latch started(3);
static std::counting_semaphore<2> room(2);
static std::atomic<int> inside;
static int steps;

static void complete() noexcept
{
    steps++;
}

static std::barrier<void (*)() noexcept> phase(3, complete);

static void work()
{
    started.arrive_and_wait();
    for (int i = 1; i <= 2; i++) {
        phase.arrive_and_wait();
        assert(steps >= i);
    }
    room.acquire();
    assert(++inside <= 2);
    inside--;
    room.release();
}

int main()
{
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back(work);
    }
    assert(steps == 2);
    return 0;
}
