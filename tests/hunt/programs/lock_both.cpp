/*
 * Two mutexes are taken in two orders by std::scoped_lock, which tries, and gives way: no schedule
 * is so regular that this has no end.
 *
 * hunt: nothing
 */
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

int main()
{
    std::thread one([] {
        std::scoped_lock both(a, b);
        n++;
    });
    std::thread two([] {
        std::scoped_lock both(b, a);
        n++;
    });
    one.join();
    two.join();
    return n != 2;
}
