// executions: 1
// models: sc c11
// says: not seen: accesses by std::string
// std::string's members are in libstdc++, which is not instrumented: nothing is proved of them.
#include <string>
#include <thread>

static std::string text;

int main()
{
    std::thread one([] { text += "a"; }), two([] { text += "b"; });
    one.join();
    two.join();
    return 0;
}
