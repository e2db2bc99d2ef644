// race: count
/* What a closure captured, which std::thread keeps, has the program's name. */
#include "../race.h"

#include <thread>

int main()
{
    int count = 0;
    std::thread thread([&count] {
        after(0);
        count++;
    });
    count++;
    done(0);
    thread.join();
    USE(count);
    return 0;
}
