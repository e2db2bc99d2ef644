// hb: 00 03 40 43 none
// past: 00 03 40 43 none
// The same with a constructor.
#include <cstdio>
#include <thread>

class Point
{
    int x, y;

  public:
    Point(int a, int b) : x(a), y(b) {}
    void print() const
    {
        std::printf("%d%d\n", x, y);
    }
};

static Point *shared;

int main()
{
    std::thread one([] { shared = new Point(4, 3); });
    const Point *point = shared;
    if (point)
        point->print();
    else
        std::puts("none");
    one.join();
    return 0;
}
