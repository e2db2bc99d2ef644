// executions: 50
// models: sc tso pso c11
// Owners of a shared_ptr in two threads, and one who has a weak_ptr: the last one deletes it.
// libstdc++ reads both counts by one load of 8 bytes unless it is told of a race detector
// (_GLIBCXX_TSAN), as stalemate-c++ does.
#include <cassert>
#include <memory>
#include <thread>

int main()
{
    auto number = std::make_shared<int>(7);
    std::weak_ptr<int> weak = number;
    std::thread owner([number] { assert(*number == 7); });
    std::thread visitor([weak] {
        if (auto locked = weak.lock())
            assert(*locked == 7);
    });
    number.reset();
    owner.join();
    visitor.join();
    assert(weak.expired());
    return 0;
}
