// Exceptions: thrown and caught on many threads, and carried from one to another.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Counted {
    static thread_local int alive;
    Counted()
    {
        alive++;
    }
    ~Counted()
    {
        alive--;
    }
};
thread_local int Counted::alive = 0;

int dig(int depth)
{
    Counted here;
    if (depth == 0)
        throw std::runtime_error("bottom");
    return dig(depth - 1) + 1;
}

void work(int id, std::exception_ptr &out)
{
    for (int i = 0; i < 5; i++) {
        try {
            dig(10);
            assert(false);
        } catch (const std::runtime_error &error) {
            assert(std::string(error.what()) == "bottom" && Counted::alive == 0);
        }
    }
    try {
        throw id;
    } catch (...) {
        out = std::current_exception();
    }
}

} // namespace

int main()
{
    std::exception_ptr thrown[4];
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i, std::ref(thrown[i]));
    for (auto &thread : threads)
        thread.join();
    for (int i = 0; i < 4; i++) {
        try {
            std::rethrow_exception(thrown[i]);
        } catch (int id) {
            assert(id == i);
        }
    }
    return 0;
}
