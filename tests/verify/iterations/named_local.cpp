// executions: 1
// models: sc c11
// A local object of the loop itself, with memory of its own, that is not alive at the header.
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int> flag;

struct text {
    char *bytes;
    text() : bytes(new char[40])
    {
        bytes[0] = 'x';
    }
    ~text()
    {
        delete[] bytes;
    }
};

__attribute__((noinline)) static bool is_wanted(const text &text)
{
    return flag.load() == (text.bytes[0] == 'x');
}

int main()
{
    std::thread waits([] {
        for (;;) {
            text text;
            if (is_wanted(text))
                break;
        }
    });
    flag = 1;
    waits.join();
    return 0;
}
