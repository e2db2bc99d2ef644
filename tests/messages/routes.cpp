/* A class whose assignment the compiler makes, and a thread that begins in a lambda. */
#include <cstdlib>
#include <string>
#include <thread>

struct Route {
    int backend = 1;
    std::string path;
    int weight = 1;
};

static Route route;
static int reloads;

static inline void reload(int backend)
{
    Route fresh;
    fresh.backend = fresh.weight = backend;
    route = fresh;
}

int main()
{
    std::thread administrator([] {
        reload(2);
        ++reloads;
    });
    Route mine = route;
    administrator.join();
    if (mine.backend != mine.weight)
        std::abort();
    return 0;
}
