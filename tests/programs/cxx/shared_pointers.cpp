// std::shared_ptr and weak_ptr counted from several threads: the object dies once, at the end.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace
{

std::atomic<int> destroyed;

struct Object {
    int value = 7;
    ~Object()
    {
        destroyed++;
    }
};

std::shared_ptr<Object> slot;
std::mutex lock;

void work(std::shared_ptr<Object> mine)
{
    std::weak_ptr<Object> weak = mine;
    for (int i = 0; i < 10; i++) {
        auto copy = mine;
        assert(copy->value == 7 && !weak.expired());
        std::lock_guard<std::mutex> hold(lock);
        slot = copy;
    }
    mine.reset();
}

} // namespace

int main()
{
    {
        auto object = std::make_shared<Object>();
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back(work, object);
        for (auto &thread : threads)
            thread.join();
        assert(destroyed == 0 && object.use_count() == 2);
    }
    slot.reset();
    assert(destroyed == 1);
    return 0;
}
