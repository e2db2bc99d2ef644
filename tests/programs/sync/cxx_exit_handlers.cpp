// thread_local objects of the thread that calls exit are destroyed; then static ones, once each.
#include <cstdio>
#include <cstdlib>
#include <thread>

struct Tells {
    const char *what;
    bool used = false;
    ~Tells()
    {
        std::puts(what);
        std::fflush(stdout);
    }
};
static Tells at_end{"static"};
static thread_local Tells local{"thread_local"};

int main(int argc, char **)
{
    local.used = argc > 0;
    std::thread([] {
        local.used = true;
        std::exit(0);
    }).join();
    return 1;
}
