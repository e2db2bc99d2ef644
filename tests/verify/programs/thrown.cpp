/* Exceptions in some executions; and two orders of locks, long enough for several processes. */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex a, b;
static int x = 10, y = 10, refused;
static std::vector<int> moves;

static void move(std::mutex &first, std::mutex &second, int &from, int &to, int n)
{
    std::scoped_lock guard(first, second);
    try {
        if (from < n)
            throw n;
    } catch (int) {
        refused++;
        return;
    }
    from -= n;
    to += n;
    moves.push_back(n);
}

int main()
{
    std::thread one([] { move(a, b, x, y, 15); });
    std::thread two([] { move(b, a, y, x, 7); });
    one.join();
    two.join();
    assert(refused + (int)moves.size() == 2);
    return 0;
}
