// flags: -std=c++20
// says: 0 violations
// What C++20's semaphores order. They wait by std::atomic::wait, in the kernel.
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore asked{0}, answered{0};
static int question, answer;

int main()
{
    std::thread other([] {
        asked.acquire();
        answer = question + 1;
        answered.release();
    });
    question = 2;
    asked.release();
    answered.acquire();
    assert(answer == 3);
    other.join();
}
