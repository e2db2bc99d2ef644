// violation: fails the assertion
// race: x
// std::thread: its library stores where nobody sees it, and the witness replays all the same.
#include <cassert>
#include <thread>

static int x;

int main()
{
    std::thread one([] { x = 1; });
    assert(x == 0);
    one.join();
    return 0;
}
