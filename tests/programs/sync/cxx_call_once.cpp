// std::call_once: a routine that throws counts as not run; std::future and async rest on it.
#include <cassert>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::once_flag flag;
static int tries, done;

static void initialise()
{
    if (++tries < 3)
        throw std::runtime_error("not yet");
    done++;
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([] {
            for (bool again = true; again;) {
                try {
                    std::call_once(flag, initialise);
                    again = false;
                } catch (const std::runtime_error &) {
                }
            }
            assert(done == 1);
        });
    for (auto &thread : threads)
        thread.join();
    assert(tries == 3);

    std::promise<int> promise;
    auto future = promise.get_future();
    auto sum = std::async(std::launch::async, [&future] { return future.get() + 1; });
    promise.set_value(41);
    assert(sum.get() == 42);
    auto failing = std::async(std::launch::async, []() -> int { throw std::logic_error("x"); });
    try {
        failing.get();
        assert(false);
    } catch (const std::logic_error &) {
    }
    return 0;
}
