// cflags: -std=c++20
// C++20: jthread and stop_token, latch, barrier, counting_semaphore, condition_variable_any.
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

namespace
{

std::mutex lock;
std::condition_variable_any changed;
std::counting_semaphore<4> room(2);
std::latch started(3);
std::barrier round(3);
int inside, total;

void work()
{
    started.arrive_and_wait();
    for (int i = 0; i < 3; i++) {
        room.acquire();
        {
            std::lock_guard<std::mutex> hold(lock);
            assert(++inside <= 2);
        }
        {
            std::lock_guard<std::mutex> hold(lock);
            inside--;
            total++;
        }
        room.release();
        round.arrive_and_wait();
    }
}

} // namespace

int main()
{
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back(work);
    }
    assert(total == 9);
    std::jthread sleeper([](std::stop_token stop) {
        std::unique_lock<std::mutex> hold(lock);
        changed.wait(hold, stop, [] { return false; });
        assert(stop.stop_requested());
    });
    sleeper.request_stop();
    sleeper.join();
    return 0;
}
