// violation: fails the assertion .!flag
// models: c11
// race: data
// libc says that a process has one thread until another is created, at the start of each
// execution: until then a shared_ptr is counted without atomics.
#include <cassert>
#include <memory>
#include <sys/single_threaded.h>
#include <thread>

static volatile int data, flag;

int main()
{
    assert(__libc_single_threaded);
    auto one = std::make_shared<int>(1);
    auto two = one;
    std::thread writer([two] {
        data = *two;
        flag = 1;
    });
    assert(!__libc_single_threaded);
    std::thread reader([] { assert(!flag || data); });
    writer.join();
    reader.join();
}
