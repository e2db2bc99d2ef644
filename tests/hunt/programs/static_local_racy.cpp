/*
 * The racy twin of static_local.cpp: the object is made safely, and then changed by all.
 *
 * hunt: rows() destructive sc
 */
#include <cassert>
#include <thread>

struct Table {
    int rows;
    Table() : rows(0) {}
};

static int &rows()
{
    static Table table;
    return table.rows;
}

static void work()
{
    rows()++;
}

int main()
{
    std::thread first(work), second(work);
    first.join();
    second.join();
    assert(rows() == 2);
    return 0;
}
