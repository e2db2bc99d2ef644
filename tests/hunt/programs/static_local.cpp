/*
 * A static local is made before anybody uses it, also when the first to try it threw. See
 * static_local_racy.cpp.
 *
 * hunt: nothing
 */
#include <cassert>
#include <thread>

static int tries;

struct Table {
    int rows[4];
    Table() : rows{1, 2, 3, 4}
    {
        if (tries++ == 0)
            throw 1;
    }
};

static int last_row()
{
    static Table table;
    return table.rows[3];
}

static void work()
{
    try {
        assert(last_row() == 4 && tries == 2);
    } catch (int) {
        assert(last_row() == 4);
    }
}

int main()
{
    std::thread first(work), second(work), third(work);
    first.join();
    second.join();
    third.join();
    return 0;
}
