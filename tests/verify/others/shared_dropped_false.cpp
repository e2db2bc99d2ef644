// violation: \(double-free\|use-after-free\)
// models: sc c11
// race: .*
// The other twin: two threads drop one owner.
#include <memory>
#include <thread>

static std::shared_ptr<int> number = std::make_shared<int>(7);

int main()
{
    std::thread one([] { number.reset(); });
    std::thread two([] { number.reset(); });
    one.join();
    two.join();
    return 0;
}
