// Function-local statics are made once, whoever comes first; global constructors ran before main.
#include <atomic>
#include <cassert>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace
{

std::atomic<int> made;

struct Table {
    std::map<std::string, int> rows{{"one", 1}, {"two", 2}};
    Table()
    {
        made++;
        std::this_thread::yield();
    }
};

Table &table()
{
    static Table only;
    return only;
}

const std::string global(40, 'g');

void work()
{
    assert(table().rows.at("two") == 2 && global.size() == 40);
}

} // namespace

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; i++)
        threads.emplace_back(work);
    for (auto &thread : threads)
        thread.join();
    assert(made == 1);
    return 0;
}
