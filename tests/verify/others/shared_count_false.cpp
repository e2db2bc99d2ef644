// violation: use-after-free
// models: sc c11
// race: .*
// The twin of shared_count.cpp: the visitor has a pointer that does not count.
#include <memory>
#include <thread>

static int seen;

int main()
{
    auto number = std::make_shared<int>(7);
    int *uncounted = number.get();
    std::thread owner([number] { (void)number; });
    std::thread visitor([uncounted] { seen = *uncounted; });
    number.reset();
    owner.join();
    visitor.join();
    return 0;
}
