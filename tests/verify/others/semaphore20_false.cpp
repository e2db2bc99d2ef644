// flags: -std=c++20
// violation: fails the assertion
// race: answer
// The twin of semaphore20.cpp that answers before it has the answer.
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore asked{0}, answered{0};
static int question, answer;

int main()
{
    std::thread other([] {
        asked.acquire();
        answered.release();
        answer = question + 1;
    });
    question = 2;
    asked.release();
    answered.acquire();
    assert(answer == 3);
    other.join();
}
