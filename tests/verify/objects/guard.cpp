// executions: 4
// A static local of C++: either thread makes it; the other has seen its guard set, or asks.
#include <pthread.h>

#include <cassert>

static int made;

struct Thing {
    int value;
    Thing() : value(++made) {}
};

static void *use(void *unused)
{
    static Thing thing;
    assert(thing.value == 1);
    return unused;
}

int main()
{
    pthread_t one, two;
    pthread_create(&one, nullptr, use, nullptr);
    pthread_create(&two, nullptr, use, nullptr);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    assert(made == 1);
    return 0;
}
