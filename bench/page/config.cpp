// A configuration that one thread replaces while others copy it: a race on the shared_ptr itself,
// not on what it points to.
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <thread>

struct Config {
    std::map<std::string, std::string> entries;
    int version = 0;
};

static std::shared_ptr<Config> g_config = std::make_shared<Config>();

static void reload(int version)
{
    auto fresh = std::make_shared<Config>();
    fresh->version = version;
    g_config = fresh; // not std::atomic<std::shared_ptr>
}

static void worker()
{
    for (int i = 0; i < 3; i++) {
        std::shared_ptr<Config> mine = g_config;
        assert(mine && mine->version >= 0);
    }
}

int main()
{
    std::thread first(worker), second(worker);
    reload(1);
    reload(2);
    first.join();
    second.join();
}
