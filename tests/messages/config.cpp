#include <cassert>
#include <memory>
#include <string>
#include <thread>

struct Config {
    int limit;
    int twice;
};
std::shared_ptr<Config> g_config = std::make_shared<Config>(Config{1, 2});

static void reload()
{
    for (int i = 2; i < 12; i++)
        g_config = std::make_shared<Config>(Config{i, 2 * i});
}
static void worker()
{
    for (int i = 0; i < 10; i++) {
        std::shared_ptr<Config> c = g_config;
        assert(c->twice == 2 * c->limit);
    }
}
int main()
{
    std::thread t(reload), u(worker);
    t.join();
    u.join();
}
