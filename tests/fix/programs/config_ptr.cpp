/*
 * A pointer to a new configuration is published.
 *
 * fix: std::atomic<config *> current
 * fix: current.store(next, std::memory_order_release)
 * fix: current.load(std::memory_order_acquire)
 * hides
 */
#include <cassert>
#include <thread>

struct config {
    int port;
    int limit;
};

static config *current = nullptr;

static void reload()
{
    config *next = new config;
    next->port = 80;
    next->limit = 10;
    current = next;
}

int main()
{
    std::thread loader(reload);
    config *seen = current;
    if (seen)
        assert(seen->port == 80 && seen->limit == 10);
    loader.join();
    delete current;
    return 0;
}
