// violation: turns < 2
// models: sc c11
// The twin of named_local.cpp: another local is alive at the header.
#include <atomic>
#include <cassert>
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

__attribute__((noinline)) static bool is_wanted(const text &text, int *turns)
{
    return flag.load() == (text.bytes[0] == 'x') || ++*turns > 3;
}

int main()
{
    std::thread waits([] {
        int turns = 0;
        for (;;) {
            text text;
            if (is_wanted(text, &turns))
                break;
        }
        assert(turns < 2);
    });
    flag = 1;
    waits.join();
    return 0;
}
